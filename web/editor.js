// A text area with line numbers and marks. The marks are a copy of the text behind it,
// there only while something is marked.

const mostMarks = 200;

export class Editor {
  constructor(area) {
    this.area = area;
    area.wrap = "off";
    area.spellcheck = false;
    area.autocapitalize = "off";
    area.autocomplete = "off";
    this.box = document.createElement("div");
    this.box.className = "editor";
    this.gutter = document.createElement("div");
    this.gutter.className = "gutter";
    this.gutter.setAttribute("aria-hidden", "true");
    this.marks = document.createElement("div");
    this.marks.className = "marks";
    this.marks.setAttribute("aria-hidden", "true");
    const field = document.createElement("div");
    field.className = "field";
    area.before(this.box);
    field.append(this.marks, area);
    this.box.append(this.gutter, field);
    area.addEventListener("scroll", () => this.#scrolled());
    area.addEventListener("input", () => this.#changed());
    this.lines = 0;
    this.#changed();
  }

  get value() { return this.area.value; }

  set value(text) {
    this.area.value = text;
    this.area.scrollTo(0, 0);
    this.#changed();
  }

  #scrolled() {
    this.gutter.scrollTop = this.marks.scrollTop = this.area.scrollTop;
    this.marks.scrollLeft = this.area.scrollLeft;
  }

  #changed() {
    const lines = this.value.split("\n").length;
    const marked = this.marks.hasChildNodes();
    if (lines !== this.lines || marked) this.#number(lines, new Set());
    this.lines = lines;
    this.marks.replaceChildren(); // places are those of the text that was checked
    this.#scrolled();
  }

  #number(lines, marked) {
    this.gutter.replaceChildren();
    let text = "";
    for (let i = 1; i <= lines; i++) {
      if (!marked.has(i)) {
        text += i + "\n";
        continue;
      }
      const line = document.createElement("b");
      line.textContent = i;
      this.gutter.append(text, line, "\n");
      text = "";
    }
    this.gutter.append(text + "\n");
  }

  // offsets returns where the word at a place begins and ends. Columns count characters,
  // as against the units of strings.
  offsets({ line, column }) {
    const lines = this.value.split("\n");
    if (line < 1 || line > lines.length) return null;
    let begin = 0;
    for (let i = 0; i < line - 1; i++) begin += lines[i].length + 1;
    const before = Array.from(lines[line - 1]).slice(0, Math.max(0, column - 1)).join("");
    const rest = lines[line - 1].slice(before.length);
    const word = /^(?:<[^>]*>|"(?:[^"\\]|\\.)*"|[^\s;,()[\]{}]+|.)/u.exec(rest);
    begin += before.length;
    return { begin, end: begin + (word ? word[0].length : 0) };
  }

  // mark marks the words at some places.
  mark(places) {
    const found = places.slice(0, mostMarks).map((p) => ({ ...this.offsets(p), line: p.line })).filter((o) => o.begin !== undefined);
    found.sort((a, b) => a.begin - b.begin);
    const text = this.value;
    const nodes = [];
    let at = 0;
    for (const { begin, end } of found) {
      if (begin < at) continue; // the same word
      const mark = document.createElement("mark");
      mark.textContent = text.slice(begin, Math.max(end, begin + 1)).replace("\n", " \n") || " ";
      nodes.push(text.slice(at, begin), mark);
      at = Math.max(end, begin + (begin < text.length ? 1 : 0));
    }
    this.marks.replaceChildren(...(nodes.length ? [...nodes, text.slice(at) + "\n"] : []));
    this.#number(this.lines, new Set(found.map((o) => o.line)));
    this.#scrolled();
  }

  // reveal selects the word at a place and brings it into view.
  reveal(place) {
    const o = this.offsets(place);
    if (!o) return;
    const height = parseFloat(getComputedStyle(this.area).lineHeight);
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(o.begin, o.end);
    this.area.scrollTop = (place.line - 1) * height - this.area.clientHeight / 3;
    this.area.scrollLeft = 0;
    this.#scrolled();
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.box.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
  }
}
