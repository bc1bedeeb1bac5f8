// The worker around the engine. Its text follows that of Go's wasm_exec.js in one blob,
// so that the worker has the policy of the page and loads nothing by itself.

"use strict";

onmessage = async ({ data }) => {
  if (data.module) {
    const go = new Go();
    const instance = await WebAssembly.instantiate(data.module, go.importObject);
    // It returns when the program ends, which it does only when it breaks.
    go.run(instance).then(() => postMessage({ stopped: true }));
    postMessage({ ready: true, version: globalThis.rdfproto.version });
    return;
  }
  postMessage({ id: data.id, answer: globalThis.rdfproto.judge(data.input) });
};
