// Loads the engine and asks it. The engine works in a worker: the page stays responsive,
// and what takes too long is ended with its worker.

const text = async (url) => (await get(url)).text();

async function get(url) {
  const response = await fetch(url, { credentials: "omit" });
  if (!response.ok) throw new Error(`${url}: status ${response.status}`);
  return response;
}

// program returns the engine's bytes. A server may have unpacked them for transport.
async function program() {
  const bytes = await (await get("rdfproto.wasm.gz")).arrayBuffer();
  const head = new Uint8Array(bytes, 0, 2);
  if (head[0] !== 0x1f || head[1] !== 0x8b) return bytes;
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(unpacked).arrayBuffer();
}

// lock takes the network from the page and from every worker that it makes: a policy that
// is added can only forbid more.
function lock() {
  const meta = document.createElement("meta");
  meta.httpEquiv = "Content-Security-Policy";
  meta.content = "default-src 'none'; script-src 'wasm-unsafe-eval'; worker-src blob:";
  document.head.append(meta);
}

// load fetches all that the page will ever need, locks it, and returns the engine and the
// examples.
export async function load() {
  const [bytes, runtime, worker, examples] = await Promise.all([
    program(), text("wasm_exec.js"), text("worker.js"), get("examples.json").then((r) => r.json()),
  ]);
  const module = await WebAssembly.compile(bytes);
  const script = URL.createObjectURL(new Blob([runtime, "\n", worker], { type: "text/javascript" }));
  lock();
  return { engine: new Engine(module, script), examples };
}

export class Canceled extends Error {}

class Engine {
  #module; #script; #worker; #ready; #pending = null; #next = 0;

  constructor(module, script) {
    this.#module = module;
    this.#script = script;
    this.#start();
  }

  // ready is the version of the engine, once it runs.
  get ready() { return this.#ready; }

  #start() {
    const worker = new Worker(this.#script);
    this.#worker = worker;
    this.#ready = new Promise((resolve, reject) => {
      const failed = (why) => {
        reject(new Error(why));
        if (this.#worker === worker) this.#restart(new Error(why));
      };
      worker.onmessage = ({ data }) => {
        if (data.ready) resolve(data.version);
        else if (data.stopped) failed("the engine stopped, which is a fault of its own");
        else if (data.answer !== undefined && this.#pending?.id === data.id) { // none: it is about to stop
          const { resolve: answer } = this.#pending;
          this.#pending = null;
          answer(JSON.parse(data.answer));
        }
      };
      worker.onerror = (event) => failed(event.message || "the engine could not be started");
    });
    this.#ready.catch(() => {}); // whoever asks is told
    worker.postMessage({ module: this.#module });
  }

  // restart ends what is asked with an error. An engine that never ran is not tried again.
  #restart(error) {
    this.#worker.terminate();
    const pending = this.#pending;
    this.#pending = null;
    if (pending || error instanceof Canceled) this.#start();
    pending?.reject(error);
  }

  // judge returns the answer to an input. A question that is still open is canceled.
  async judge(input) {
    if (this.#pending) this.cancel();
    const id = ++this.#next;
    const answer = new Promise((resolve, reject) => { this.#pending = { id, resolve, reject }; });
    answer.catch(() => {});
    await this.#ready;
    this.#worker.postMessage({ id, input: JSON.stringify(input) });
    return answer;
  }

  cancel() { this.#restart(new Canceled("canceled")); }
}
