/**
 * `npm run spec-trace`: compares requirements with tests, and writes docs/spec-trace.md. Fails if a requirement is neither proven by a
 * test nor explained in docs/spec-untested.md. Reads the reports of a run with `--reports`, otherwise the ids in the test files.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readArguments } from '../apps/server/src/cli/command-line.mjs'
import { findUnproven } from './proof-tables.ts'
import { EXTENTS, explained, readReports, type Trace, traceResults, traceTexts } from './requirement-trace.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = readArguments(import.meta.url, {
  reports: { type: 'string' },
  extent: { type: 'string', default: 'all' },
})
const extent = EXTENTS.find((one) => one === values.extent)
if (extent === undefined) throw new Error(`--extent is one of ${EXTENTS.join(', ')}`)
const reports = values.reports === undefined ? undefined : readReports(values.reports, root, extent)
const trace = reports === undefined ? traceTexts(root) : traceResults(root, reports, extent)
// A short run has no results for some of the named tests.
const unproven = reports === undefined || extent === 'short' ? [] : findUnproven(reports.results)
const proven = trace.rows.filter((id) => trace.files.has(id)).length
const summary = `${proven} of ${trace.rows.length} requirements are ${values.reports === undefined ? 'named by a test' : 'proven by a test that passed'}, ${trace.reasons.size} are explained`

function render({ rows, files, reasons, later }: Trace): string {
  const cell = (id: string): string =>
    [...(files.get(id) ?? [])].map((file) => `\`${file}\``).join(', ') || (reasons.get(id) ?? (later.includes(id) ? 'full run' : 'open'))
  return `# Which test proves which requirement

Written by \`npm run spec-trace\`. ${summary}.

| Requirement | Tests |
|---|---|
${rows.map((id) => `| ${id} | ${cell(id)} |`).join('\n')}
`
}

for (const [what, cases] of trace.problems) console.error(`${what}:\n  ${cases.join('\n  ')}`)
if (trace.later.length > 0) console.log(`Proven only by npm test -- --all (${trace.later.length}): ${trace.later.join(', ')}`)
console.log(`${summary}; the code does not follow ${explained(root, 'Decisions that the code does not follow yet').size} decisions yet.`)
if (unproven.length > 0)
  console.error(`Controls and faults (docs/security.md, docs/faults.md) without a test that passed:\n  ${unproven.join('\n  ')}`)
if (trace.problems.length > 0 || unproven.length > 0) process.exitCode = 1
else writeFileSync(path.join(root, 'docs', 'spec-trace.md'), render(trace))
