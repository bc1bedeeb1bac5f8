// Validates pairs of shapes and data with other SHACL engines. Standard input
// has one JSON object a line, {"shapes":"...","data":"..."} in Turtle; standard
// output gets one a line, {"ENGINE":{"conforms":...,"results":[...]},...}.
// RDFPROTO_PEERS names the folder whose node_modules hold the engines.
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const require = createRequire(join(process.env.RDFPROTO_PEERS, 'package.json'))
const load = async (name) => import(pathToFileURL(require.resolve(name)).href)
const N3 = (await load('n3')).default
const factory = (await load('@zazuko/env')).default
const { Validator } = await load('shacl-engine')
const SHACLValidator = (await load('rdf-validate-shacl')).default

const parse = (text) => new N3.Store(new N3.Parser().parse(text))
const term = (t) => {
  if (!t) return ''
  if (t.termType === 'BlankNode') return '_:'
  if (t.termType === 'NamedNode') return `<${t.value}>`
  const text = JSON.stringify(t.value)
  if (t.language) return `${text}@${t.language}`
  return t.datatype.value === 'http://www.w3.org/2001/XMLSchema#string' ? text : `${text}^^<${t.datatype.value}>`
}
const path = (p) => {
  if (!p || (Array.isArray(p) && p.length === 0)) return ''
  if (Array.isArray(p)) return p.length === 1 && p[0].quantifier === 'one' && p[0].start === 'subject' && p[0].predicates.length === 1 ? term(p[0].predicates[0]) : 'path'
  return p.termType === 'NamedNode' ? term(p) : 'path'
}
const engines = {
  'shacl-engine': async (shapes, data) => {
    const report = await new Validator(shapes, { factory }).validate({ dataset: data })
    return {
      conforms: report.conforms,
      results: report.results.map((r) => [term(r.focusNode?.term), path(r.path), term(r.value?.term), term(r.constraintComponent), term(r.severity), term(r.shape?.ptr?.term)].join(' '))
    }
  },
  'rdf-validate-shacl': async (shapes, data) => {
    const report = await new SHACLValidator(shapes, { factory }).validate(data)
    return {
      conforms: report.conforms,
      results: report.results.map((r) => [term(r.focusNode), path(r.path), term(r.value), term(r.sourceConstraintComponent), term(r.severity), term(r.sourceShape)].join(' '))
    }
  }
}
for await (const line of createInterface({ input: process.stdin })) {
  const pair = JSON.parse(line)
  const answer = {}
  for (const [name, validate] of Object.entries(engines)) {
    try {
      answer[name] = await validate(parse(pair.shapes), parse(pair.data))
    } catch (e) {
      answer[name] = { error: String(e && e.message ? e.message : e) }
    }
  }
  console.log(JSON.stringify(answer))
}
