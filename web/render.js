// Makes elements of an answer. Texts become text nodes and nothing else.

export function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((c) => c !== undefined && c !== null && c !== ""));
  return node;
}

const signs = { yes: "✓", no: "✕", refused: "✕", nothing: "–", busy: "…" };

export function verdict({ status, code, message }) {
  return el("div", { class: "verdict " + status },
    el("span", { class: "sign", "aria-hidden": "true" }, signs[status]),
    el("div", {}, el("p", { class: "verdict-text" }, sentence(message)), code && el("p", {}, el("code", {}, code))));
}

const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// sentence gives a message of the engine the look of one.
const sentence = (text) => upper(text) + (/[.…!?\]]$/.test(text) ? "" : ".");
const count = (n, what) => n.toLocaleString("en") + " " + what + (n === 1 ? "" : "s");
const syntaxes = { turtle: "Turtle", jsonld: "JSON-LD", ntriples: "N-Triples" };
const titles = { document: "document", intent: "intent", authority: "authority" };

function section(title, note, ...children) {
  return el("section", { class: "card" }, el("h3", {}, title, note && el("span", { class: "note" }, note)), ...children);
}

function place(p, reveal) {
  if (!p) return null;
  const text = `${p.line}:${p.column}`;
  if (!titles[p.file]) return el("span", { class: "place" }, (p.file ? p.file + " " : "") + text);
  return el("button", {
    type: "button", class: "place", title: `Show line ${p.line} of the ${titles[p.file]}`,
    "aria-label": `${titles[p.file]}, line ${p.line}, column ${p.column}: show`, onclick: () => reveal(p),
  }, titles[p.file] + " " + text);
}

// parts lets a long name break where its parts end.
const parts = (text) => text.split(/(?<=[^/]\/|#)(?=[^/#])/).flatMap((part, i) => i ? [el("wbr"), part] : [part]);
const term = (text) => el("code", { class: "term" }, parts(text));
const iri = (text) => el("span", { class: "iri" }, parts(text));

export function sections(answer, reveal) {
  const all = [];
  if (answer.problems?.length) all.push(problems(answer.problems, reveal));
  if (answer.trace) all.push(trace(answer.trace));
  if (answer.report) all.push(report(answer.report, reveal));
  if (answer.intent?.fields?.length) all.push(fields(answer.intent));
  if (answer.authority) all.push(...authority(answer.authority));
  if (answer.document) all.push(protocol(answer.document, reveal));
  return all;
}

// placesOf lists what is to be marked in the texts.
export function placesOf(answer) {
  const places = [];
  const add = (p) => p && places.push(p);
  for (const p of answer.problems ?? []) add(p.place);
  for (const f of answer.document?.review?.findings ?? []) add(f.place);
  const innermost = (r) => {
    add(r.place);
    if (!r.details) add(r.shapePlace);
    for (const d of r.details ?? []) innermost(d);
  };
  for (const r of answer.report?.results ?? []) innermost(r);
  return places;
}

function problems(list, reveal) {
  return section("What is wrong", undefined, el("ul", { class: "problems" }, list.map((p) =>
    el("li", {}, el("p", {}, sentence(p.text)), el("p", { class: "meta" }, place(p.place, reveal), p.code && el("code", {}, p.code))))));
}

function protocol(d, reveal) {
  const copy = el("button", { type: "button", class: "small", onclick: async () => {
    await navigator.clipboard.writeText(d.pin);
    copy.textContent = "Copied";
    setTimeout(() => { copy.textContent = "Copy"; }, 1500);
  } }, "Copy");
  const lines = d.canonical ? d.canonical.split("\n").length - 1 : 0;
  const out = section("Protocol", [d.title, d.version].filter(Boolean).join(" "),
    el("dl", { class: "facts" },
      el("dt", {}, "Pin"), el("dd", { class: "pin" }, el("code", { id: "pin" }, d.pin), copy),
      d.id && [el("dt", {}, "Name"), el("dd", {}, term(d.id))],
      d.description && [el("dt", {}, "About"), el("dd", {}, d.description)],
      el("dt", {}, "Read as"), el("dd", {}, `${syntaxes[d.syntax]}, ${count(d.triples, "triple")}`)));
  if (d.review) out.append(...review(d.review, reveal));
  if (lines) out.append(el("details", { id: "canonical" }, el("summary", {}, `Canonical form, ${count(lines, "line")}`),
    el("p", { class: "hint" }, "RDFC-1.0. The SHA-256 of these bytes is the pin: the same graph in another syntax or order has the same."),
    el("pre", { tabindex: "0", "aria-label": "Canonical form in N-Quads" }, d.canonical)));
  return out;
}

const number = (n) => n < 0 ? "more than can be counted" : n.toLocaleString("en");

function review(r, reveal) {
  const row = (name, c) => el("tr", {}, el("th", { scope: "row" }, name), c.checks.map((n) => el("td", {}, number(n))));
  const out = [
    el("h4", {}, "Review"),
    el("p", {}, sentence(r.explained[0])),
    el("div", { class: "scroll" }, el("table", { class: "cost" },
      el("caption", {}, "Checks at worst, by the values that each property has"),
      el("thead", {}, el("tr", {}, el("td", {}), [1, 10, 100].map((n) => el("th", { scope: "col" }, String(n))))),
      el("tbody", {}, row("An intent", r.request), r.response && row("A response", r.response)))),
  ];
  if (r.findings.length) {
    out.push(el("ul", { class: "problems" }, r.findings.map((f) => el("li", { class: f.error ? "" : "warning" },
      el("p", {}, sentence(f.text)), el("p", { class: "meta" }, place(f.place, reveal), el("code", {}, f.code))))));
    if (r.omitted) out.push(el("p", { class: "hint" }, `And ${count(r.omitted, "more finding")}.`));
  } else out.push(el("p", { class: "good" }, "Nothing was found against it."));
  out.push(el("details", {}, el("summary", {}, "In words"), el("ul", { class: "plain" }, r.explained.slice(1).map((t) => el("li", {}, sentence(t))))));
  return out;
}

const states = { passed: ["✓", "passed"], failed: ["✕", "refused here"], "not-asked": ["–", "not asked"], "": ["", "not reached"] };

function trace(steps) {
  return section("Decision", "the receiving procedure, step by step", el("ol", { class: "steps" }, steps.map((s) => {
    const [sign, word] = states[s.state];
    return el("li", { class: s.state || "open" },
      el("span", { class: "sign", "aria-hidden": "true" }, sign),
      el("div", {},
        el("p", {}, el("span", { class: "number" }, s.name), " ", upper(s.what), el("span", { class: "visually-hidden" }, ` (${word})`)),
        s.note && el("p", { class: "hint" }, sentence(s.note))));
  })));
}

function report(r, reveal) {
  const summary = `${count(r.nodes, "node")} checked in ${count(r.checks, "check")}`;
  if (r.conforms) return section("Validation report", undefined, el("p", { class: "good" }, `Conforms: ${summary}.`));
  return section("Validation report", undefined,
    el("p", { class: "hint" }, `Does not conform: ${summary}. Places are marked in the texts.`),
    el("ul", { class: "tree" }, r.results.map((x) => result(x, reveal))),
    r.omitted && el("p", { class: "hint" }, `And ${count(r.omitted, "more result")}.`));
}

function result(r, reveal) {
  const facts = [
    r.path && ["Path", term(r.path)], r.value && !r.value.startsWith("_:") && ["Value", term(r.value)], r.reason && ["Reason", r.reason],
    ["Constraint", term(r.constraint)],
  ].filter(Boolean);
  return el("li", {},
    el("p", { class: "message" }, sentence(r.message)),
    el("p", { class: "meta" }, place(r.place, reveal), r.shapePlace && el("span", {}, "asked by ", place(r.shapePlace, reveal))),
    el("dl", { class: "facts tight" }, facts.map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
    r.details && [el("p", { class: "because" }, "because"), el("ul", {}, r.details.map((d) => result(d, reveal)))],
    r.truncated && el("p", { class: "hint" }, "And more."));
}

function fields(intent) {
  return section("Intent", `read as ${syntaxes[intent.syntax]}`, el("dl", { class: "facts" },
    intent.fields.map((f) => [el("dt", {}, upper(f.name)), el("dd", {}, term(f.value))])));
}

// phases says what failed with one (authz, section 0.5).
const phases = {
  assembly: "the policies form no one chain", A: "a credential is not authentic (phase A)", B: "credentials, policies and parties do not belong together (phase B)",
  C: "something is revoked or of unknown status (phase C)", D: "the chain does not permit it (phase D)", composition: "the actor is not the party that the chain authorizes",
};

function authority(a) {
  if (!a.asked) {
    if (a.reason) return [section("Authority", undefined, el("p", {}, sentence(a.reason)))];
    return [section("Authority", undefined, el("p", { class: "hint" }, "Not asked: it was refused before."))];
  }
  const asked = (a.asks ?? []).map((x) => el("li", {}, el("strong", {}, x.action), " of ", term(x.target)));
  return [section("Authority", `as of ${a.at.replace("T", " ").replace("Z", " UTC")}`,
    el("p", { class: a.authorized ? "good" : "bad-text" }, a.authorized ? "Authorized." : `Not authorized: ${phases[a.phase] ?? a.phase}.`),
    el("p", { class: "hint" }, a.fromIntent ? "What the intent asks for:" : "What the input asks for:"),
    el("ul", { class: "plain" }, asked),
    el("div", { class: "chains" }, a.chains.map((c, i) => chain(c, i, a.actor))),
    a.duties?.length && el("p", {}, "Duties: " + a.duties.join("; ") + "."),
    a.provisional && el("p", { class: "hint" }, "The content of a policy was not checked."),
    el("details", { id: "checks" }, el("summary", {}, `All ${count(a.checks.length, "check")}`),
      el("div", { class: "scroll" }, el("table", {},
        el("thead", {}, el("tr", {}, ["Phase", "Step", "Where", "Result"].map((t) => el("th", { scope: "col" }, t)))),
        el("tbody", {}, a.checks.map((c) => [el("tr", { class: c.ok ? "" : "failed" },
          el("td", {}, c.phase), el("td", {}, c.step), el("td", {}, c.where), el("td", {}, c.ok ? "ok" : "fails")),
        c.why && el("tr", { class: "failed" }, el("td", { colspan: "4" }, sentence(c.why)))]))))))];
}

// chain draws who granted what to whom: parties are boxes, grants the arrows between them.
function chain(c, index, actor) {
  const party = (name, role) => el("div", { class: "party" + (name === actor ? " acts" : "") },
    iri(name), [role, name === actor && "acts"].filter(Boolean).map((t) => el("span", { class: "tag" }, t)));
  const grant = (l) => el("div", { class: "grant" + (l.broken ? " broken" : "") },
    el("p", {}, el("span", { class: "hint" }, "by policy "), iri(l.policy)),
    l.credential && el("p", {}, el("span", { class: "hint" }, "credential "), iri(l.credential)),
    el("p", { class: "hint" }, [l.verified ? "verified" : "not verified", ...(l.facts ?? [])].join(" · ")),
    l.broken && el("p", { class: "bad-text" }, "Broken here: " + l.broken));
  return el("figure", { class: "chain" },
    el("figcaption", {}, index === 0 ? "Who granted what to whom" : "For whom the actor acts"),
    el("ol", {}, el("li", {}, party(c.root, index === 0 ? "root" : "")), c.links.map((l) => el("li", {}, grant(l), party(l.to)))),
    c.broken && el("p", { class: "bad-text" }, "Broken: " + c.broken));
}
