// Signs and verifies cards with the official JavaScript SDK, for the test that
// compares it with this package. It runs in a folder in which @a2a-js/sdk and jose
// are installed, reads one JSON object from standard input,
//
//     {"alg", "private": JWK, "public": JWK, "sign": {NAME: CARD}, "verify": {NAME: CARD}}
//
// and writes {"signed": {NAME: CARD or null}, "verified": {NAME: true or false}}.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { readFileSync } from "node:fs";

const require = createRequire(pathToFileURL(process.cwd() + "/"));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const { generateAgentCardSignature, verifyAgentCardSignature } = await load("@a2a-js/sdk");
const jose = await load("jose");

console.debug = () => {};
const input = JSON.parse(readFileSync(0, "utf8"));
const privateKey = await jose.importJWK(input.private, input.alg);
const publicKey = await jose.importJWK(input.public, input.alg);
const sign = generateAgentCardSignature(privateKey, { alg: input.alg, kid: input.public.kid, typ: "JOSE" });
const verify = verifyAgentCardSignature(async () => publicKey);

const signed = {};
for (const [name, card] of Object.entries(input.sign)) {
	signed[name] = await sign(card).catch(() => null);
}
const verified = {};
for (const [name, card] of Object.entries(input.verify)) {
	verified[name] = await verify(card).then(() => true, () => false);
}
process.stdout.write(JSON.stringify({ signed, verified }));
