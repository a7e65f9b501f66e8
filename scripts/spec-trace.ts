/**
 * `npm run spec-trace`, and a step of every run: writes docs/spec-trace.md, which lists for each requirement the tests that
 * name its id in their title, and fails when a requirement has neither a test nor a reason in docs/spec-untested.md, when
 * it has both, when a title names one that does not exist, or more than five. So no test can go without somebody saying why.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readArguments } from '../apps/server/src/main/command-line.mjs'
import { testTitles } from './test-titles.ts'

readArguments(import.meta.url)
const root = fileURLToPath(new URL('..', import.meta.url))
const target = path.join(root, 'docs', 'spec-trace.md')
const ID = /\[([A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\d{2})\]/g
const TEST_FILE = /\.(test|spec)\.tsx?$/

interface Requirement {
  id: string
  group: string
}

function requirements(): Requirement[] {
  const text = readFileSync(path.join(root, 'docs', 'requirements.md'), 'utf8')
  return [...text.matchAll(/^\| ([A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*)-(\d{2}) \|/gm)].map((match) => ({
    id: `${match[1]}-${match[2]}`,
    group: match[1] ?? '',
  }))
}

function testFiles(): string[] {
  return ['apps', 'packages', 'e2e', 'test', 'scripts']
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && TEST_FILE.test(entry.name) && !entry.parentPath.includes('node_modules'))
        .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name))),
    )
    .toSorted()
}

/** More than these, and a title no longer says what its test proves. */
const MOST_IDS = 5

/** Requirement id → files whose test titles name it; and the titles that name too many. */
function traced() {
  const found = new Map<string, Set<string>>()
  const crowded: string[] = []
  for (const file of testFiles()) {
    const titles = testTitles(readFileSync(path.join(root, file), 'utf8'), file.endsWith('x'))
    crowded.push(...titles.filter((title) => [...title.matchAll(ID)].length > MOST_IDS).map((title) => `${file}: ${title}`))
    for (const match of titles.join('\n').matchAll(ID)) {
      const id = match[1] ?? ''
      const files = found.get(id) ?? new Set<string>()
      found.set(id, files.add(file))
    }
  }
  return { tests: found, crowded }
}

function untested(): Map<string, string> {
  const text = readFileSync(path.join(root, 'docs', 'spec-untested.md'), 'utf8')
  return new Map([...text.matchAll(/^- ([A-Z0-9-]+-\d{2}): (.+)$/gm)].map((match) => [match[1] ?? '', match[2] ?? '']))
}

function render() {
  const rows = requirements()
  const { tests, crowded } = traced()
  const reasons = untested()
  const known = new Set(rows.map((row) => row.id))
  const covered = rows.filter((row) => tests.has(row.id)).length
  const lines = rows.map((row) => {
    const files = [...(tests.get(row.id) ?? [])]
    const cell = files.length > 0 ? files.map((file) => `\`${file}\``).join(', ') : (reasons.get(row.id) ?? 'open')
    return `| ${row.id} | ${cell} |`
  })
  const text = `# Which test proves which requirement

Written by \`npm run spec-trace\` from the ids in test titles. A row without a test says why, or is open.

Covered: ${covered} of ${rows.length}.

| Requirement | Tests |
|---|---|
${lines.join('\n')}
`
  const open = rows.filter(({ id }) => !tests.has(id) && !reasons.has(id)).map(({ id }) => id)
  const both = [...reasons.keys()].filter((id) => tests.has(id))
  return { text, covered, open, both, crowded, unknown: [...tests.keys()].filter((id) => !known.has(id)) }
}

const { text, covered, open, both, crowded, unknown } = render()
writeFileSync(target, text)
const faults = [
  [unknown, 'Test titles name requirements that do not exist'],
  [open, 'Neither tested nor explained in docs/spec-untested.md'],
  [both, 'Explained in docs/spec-untested.md, but tested'],
  [crowded, `Titles with more than ${MOST_IDS} requirements: split the test`],
] as const
for (const [ids, fault] of faults) if (ids.length > 0) console.error(`${fault}: ${ids.join(', ')}.`)
if (faults.some(([ids]) => ids.length > 0)) process.exit(1)
console.log(`${covered} of ${requirements().length} requirements have a test.`)
