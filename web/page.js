import { load, Canceled } from "./engine.js";
import { Editor } from "./editor.js";
import { el, verdict, sections, placesOf } from "./render.js";

const $ = (id) => document.getElementById(id);
const names = ["document", "intent", "authority"];
const editors = Object.fromEntries(names.map((name) => [name, new Editor($(name))]));
const syntaxes = [["", "detect the syntax"], ["turtle", "Turtle"], ["jsonld", "JSON-LD"], ["ntriples", "N-Triples"]];
let engine = null;

for (const name of ["document", "intent"]) {
  $(name + "-syntax").append(...syntaxes.map(([value, label]) => el("option", { value }, label)));
}

function input() {
  return {
    document: { text: editors.document.value, syntax: $("document-syntax").value },
    intent: { text: editors.intent.value, syntax: $("intent-syntax").value },
    authority: editors.authority.value,
  };
}

// show puts an answer on the page. reveal goes to a place in a text.
function show(answer) {
  const reveal = (place) => editors[place.file]?.reveal(place);
  $("verdict").replaceChildren(verdict(answer.verdict));
  $("sections").replaceChildren(...sections(answer, reveal));
  const places = placesOf(answer);
  for (const name of names) editors[name].mark(places.filter((p) => p.file === name));
  $("results").dataset.status = answer.verdict.status;
  $("stale").hidden = true;
  document.body.classList.remove("is-stale");
}

function say(status, message) {
  $("verdict").replaceChildren(verdict({ status, message }));
  $("sections").replaceChildren();
  $("results").dataset.status = status;
}

let turn = 0;

async function check() {
  if (!engine) return;
  const mine = ++turn;
  const slow = setTimeout(() => { // what is quick needs no word
    $("cancel").hidden = false;
    say("busy", "Checking…");
  }, 250);
  $("results").setAttribute("aria-busy", "true");
  try {
    const answer = await engine.judge(input());
    if (mine === turn) show(answer);
  } catch (error) {
    if (mine === turn) say(error instanceof Canceled ? "nothing" : "refused", error instanceof Canceled ? "Canceled. Nothing was decided." : error.message);
  } finally {
    clearTimeout(slow);
    if (mine === turn) {
      $("cancel").hidden = true;
      $("results").removeAttribute("aria-busy");
    }
  }
}

// ask is check by hand: who scrolled to the button is taken to the answer.
async function ask() {
  await check();
  const top = $("results").getBoundingClientRect().top;
  if (top < 0 || top > innerHeight * 0.8) $("results").scrollIntoView({ block: "start" });
}

function changed() {
  for (const chip of $("examples").children) chip.setAttribute("aria-pressed", "false");
  $("about").hidden = true;
  if (["busy", "nothing", undefined].includes($("results").dataset.status)) return;
  $("stale").hidden = false;
  document.body.classList.add("is-stale");
}

function fill(example) {
  for (const name of names) editors[name].value = example[name] ?? "";
  $("document-syntax").value = $("intent-syntax").value = "";
  for (const chip of $("examples").children) chip.setAttribute("aria-pressed", String(chip.dataset.id === example.id));
  $("about").textContent = example.about ?? "";
  $("about").hidden = !example.about;
  return check();
}

for (const name of names) editors[name].area.addEventListener("input", changed);
for (const name of ["document", "intent"]) $(name + "-syntax").addEventListener("change", changed);
$("check").addEventListener("click", ask);
$("cancel").addEventListener("click", () => { engine.cancel(); $("check").focus(); });
$("clear").addEventListener("click", () => {
  history.replaceState(null, "", location.pathname);
  fill({ id: "" });
  editors.document.area.focus();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    ask();
  }
});

say("busy", "Loading the engine…");
try {
  const loaded = await load();
  engine = loaded.engine;
  const version = await engine.ready;
  if (version) $("version").textContent = "rdfproto " + version;
  const find = () => loaded.examples.find((e) => location.hash === "#" + e.id);
  $("examples").append(...loaded.examples.map((e) => el("button", {
    type: "button", class: "chip", "aria-pressed": "false", "data-id": e.id,
    onclick: () => { history.replaceState(null, "", "#" + e.id); fill(e); },
  }, e.name)));
  addEventListener("hashchange", () => { const e = find(); if (e) fill(e); });
  $("check").disabled = false;
  if (input().document.text || input().intent.text || input().authority) await check(); // kept by the browser
  else await fill(find() ?? loaded.examples[0]);
} catch (error) {
  say("refused", "The engine could not be loaded: " + error.message);
}
