// Answers questions with other implementations: one JSON object a line comes in,
// {"ask":NAME,...}, one goes out, with "error" where the implementation refuses.
// RDFPROTO_PEERS names the folder whose node_modules hold them.
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const require = createRequire(join(process.env.RDFPROTO_PEERS, 'package.json'))
const load = async (name) => import(pathToFileURL(require.resolve(name)).href)
// What they print is none of the answers.
console.log = console.info = console.warn = console.error = () => {}

// once loads what a question needs when it is asked for the first time.
const once = (make) => {
  let made
  return () => (made ??= make())
}
const n3 = once(async () => (await load('n3')).default)
const oxigraph = once(async () => (await load('oxigraph')).default ?? (await load('oxigraph')))
const canonize = once(async () => (await load('rdf-canonize')).default ?? (await load('rdf-canonize')))
const jsonld = once(async () => (await load('jsonld')).default)
const canonicalize = once(async () => (await import(pathToFileURL(join(process.env.RDFPROTO_PEERS, 'node_modules/canonicalize/lib/canonicalize.js')).href)).default)
const streaming = once(async () => (await load('jsonld-streaming-parser')).JsonLdParser)
const shaclEngine = once(async () => (await load('shacl-engine')).Validator)
const shaclValidator = once(async () => (await load('rdf-validate-shacl')).default)
const factory = once(async () => (await load('@zazuko/env')).default)

const XSD_STRING = 'http://www.w3.org/2001/XMLSchema#string'
const escape = (text, pattern) => text.replace(pattern, (c) => `\\U${c.codePointAt(0).toString(16).padStart(8, '0')}`)

// quads writes RDF/JS quads as N-Quads, everything that is odd as an escape, and
// with labels of its own.
const quads = (all) => {
  const labels = new Map()
  const term = (t) => {
    switch (t.termType) {
      case 'NamedNode':
        return `<${escape(t.value, /[\u0000-\u0020<>"{}|^`\\\u007f]/gu)}>`
      case 'BlankNode':
        if (!labels.has(t.value)) labels.set(t.value, `_:b${labels.size}`)
        return labels.get(t.value)
      case 'Literal': {
        const text = `"${escape(t.value, /[\u0000-\u001f"\\\u007f\ud800-\udfff\ufffe\uffff]/gu)}"`
        if (t.language) return `${text}@${t.language}${t.direction ? '--' + t.direction : ''}`
        return t.datatype.value === XSD_STRING ? text : `${text}^^${term(t.datatype)}`
      }
      case 'DefaultGraph':
        return ''
      default:
        throw new Error(`a term of type ${t.termType}`)
    }
  }
  let out = ''
  for (const q of all) out += `${term(q.subject)} ${term(q.predicate)} ${term(q.object)} ${term(q.graph)} .\n`
  return out
}

const media = { turtle: 'text/turtle', trig: 'application/trig', ntriples: 'application/n-triples', nquads: 'application/n-quads', jsonld: 'application/ld+json' }

// loader serves the documents of a question, and no others.
const loader = (documents) => async (url) => {
  if (!(url in documents)) throw new Error(`no document ${url}`)
  return { documentUrl: url, contextUrl: null, document: JSON.parse(documents[url]) }
}

// A term of a report, without labels.
const term = (t) => {
  if (!t) return ''
  if (t.termType === 'BlankNode') return '_:'
  if (t.termType === 'NamedNode') return `<${t.value}>`
  const text = JSON.stringify(t.value)
  if (t.language) return `${text}@${t.language}`
  return t.datatype.value === XSD_STRING ? text : `${text}^^<${t.datatype.value}>`
}
const path = (p) => {
  if (!p || (Array.isArray(p) && p.length === 0)) return ''
  if (Array.isArray(p)) return p.length === 1 && p[0].quantifier === 'one' && p[0].start === 'subject' && p[0].predicates.length === 1 ? term(p[0].predicates[0]) : 'path'
  return p.termType === 'NamedNode' ? term(p) : 'path'
}
const graphs = async ({ shapes, data }) => {
  const N3 = await n3()
  return [new N3.Store(new N3.Parser().parse(shapes)), new N3.Store(new N3.Parser().parse(data))]
}

const questions = {
  // Readers: {text, syntax, base, documents} to {quads}.
  n3: async ({ text, syntax, base }) => {
    const N3 = await n3()
    return { quads: quads(new N3.Parser({ baseIRI: base || undefined, format: media[syntax] }).parse(text)) }
  },
  oxigraph: async ({ text, syntax, base }) => {
    return { quads: quads((await oxigraph()).parse(text, { format: media[syntax], base_iri: base || undefined })) }
  },
  'rdf-canonize/read': async ({ text }) => {
    const { NQuads } = await canonize()
    return { quads: quads(NQuads.parse(text)) }
  },
  jsonld: async ({ text, base, documents }) => {
    const all = await (await jsonld()).toRDF(JSON.parse(text), { base: base || '', documentLoader: loader(documents ?? {}) })
    return { quads: quads(all) }
  },
  'jsonld-streaming-parser': async ({ text, base, documents }) => {
    const Parser = await streaming()
    const parser = new Parser({ baseIRI: base || undefined, dataFactory: (await n3()).DataFactory, documentLoader: { load: async (url) => { if (!(url in (documents ?? {}))) throw new Error(`no document ${url}`); return JSON.parse(documents[url]) } } })
    const all = await new Promise((resolve, reject) => {
      const all = []
      parser.on('data', (q) => all.push(q)).on('error', reject).on('end', () => resolve(all))
      parser.write(text)
      parser.end()
    })
    return { quads: quads(all) }
  },

  // Canonical forms: {text} in N-Quads to {quads}.
  'rdf-canonize': async ({ text }) => ({ quads: await (await canonize()).canonize(text, { algorithm: 'RDFC-1.0', inputFormat: 'application/n-quads', format: 'application/n-quads', maxWorkFactor: Infinity }) }),

  // Canonical JSON: {text} to {text}.
  canonicalize: async ({ text }) => ({ text: (await canonicalize())(JSON.parse(text)) }),

  // Validation: {shapes, data} in Turtle to {conforms, results}.
  'shacl-engine': async (q) => {
    const [shapes, data] = await graphs(q)
    const Validator = await shaclEngine()
    const report = await new Validator(shapes, { factory: await factory() }).validate({ dataset: data })
    return {
      conforms: report.conforms,
      results: report.results.map((r) => [term(r.focusNode?.term), path(r.path), term(r.value?.term), term(r.constraintComponent), term(r.severity), term(r.shape?.ptr?.term)].join(' '))
    }
  },
  'rdf-validate-shacl': async (q) => {
    const [shapes, data] = await graphs(q)
    const Validator = await shaclValidator()
    const report = await new Validator(shapes, { factory: await factory() }).validate(data)
    return {
      conforms: report.conforms,
      results: report.results.map((r) => [term(r.focusNode), path(r.path), term(r.value), term(r.sourceConstraintComponent), term(r.severity), term(r.sourceShape)].join(' '))
    }
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line)
  let answer
  try {
    answer = await questions[question.ask](question)
  } catch (e) {
    answer = { error: String((e && e.message) || e || 'an error without a text') }
  }
  process.stdout.write(JSON.stringify(answer) + '\n')
}
