/**
 * `npm test -- structure`: rejects retired words (docs/glossary.md) in file names and exported names, and ids of invariants that
 * docs/invariants.md does not list.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const RETIRED = new Set([
  'house',
  'deed',
  'deeds',
  'novice',
  'novices',
  'strange',
  'told',
  'kept',
  'lane',
  'lanes',
  'wish',
  'look',
  'looks',
  'sweep',
  'sweeps',
  'seal',
  'seals',
  'sealed',
  'unseal',
  'trial',
  'trials',
  'wishes',
  'tally',
  'tallies',
  'undone',
  'undoable',
  'tries',
  'payoff',
  'vital',
  'vitals',
  'witness',
  'slot',
  'slots',
  'most',
  'least',
  'tallied',
  'tried',
  'widest',
  'undoing',
  'place',
  'places',
  'picture',
  'refuse',
  'refused',
  'refusal',
  'refusals',
])
const RETIRED_PHRASES = ['last word', 'take back', 'rest days', 'rest minutes'] as const
const EXPORT = /^export (?:default )?(?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm

/** Id of an invariant in a test title, a comment or an audit check. */
const INVARIANT = /\[(I\d+)\]|invariants? (I\d+)|invariant: '(I\d+)'/g
const INVARIANTS = new Set([...readFileSync('docs/invariants.md', 'utf8').matchAll(/^\| (I\d+) \|/gm)].map(([, id]) => id))

/** Words of a name in camel case, kebab case or capitals, in small letters. */
const wordsOf = (name: string) =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
/** Returns the first retired word in a name. `token sweep` is a term of the glossary; `sweep` alone is retired. */
const retiredIn = (name: string) => {
  const text = wordsOf(name).join(' ').replaceAll('token sweep', 'term')
  return RETIRED_PHRASES.find((one) => text.includes(one)) ?? text.split(' ').find((word) => RETIRED.has(word))
}

const files = execFileSync('git', ['ls-files', 'apps', 'packages', 'scripts', 'tools', 'bench', 'e2e', 'test'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(ts|tsx|mjs|sql)$/.test(file) && !file.includes('generated'))
const problems = files.flatMap((file) => {
  const text = readFileSync(file, 'utf8')
  const names = [file.slice(file.lastIndexOf('/') + 1), ...[...text.matchAll(EXPORT)].map(([, name = '']) => name)]
  const retired = names.flatMap((name) => {
    const word = retiredIn(name)
    return word === undefined ? [] : [`${file}: ${name} has the retired word "${word}" (docs/glossary.md)`]
  })
  const unknown = [...text.matchAll(INVARIANT)].map(([, a, b, c]) => a ?? b ?? c).filter((id) => !INVARIANTS.has(id ?? ''))
  return [...retired, ...unknown.map((id) => `${file}: ${id} is not in docs/invariants.md`)]
})
for (const problem of problems) console.error(problem)
console.log(`${files.length} files, ${problems.length} retired words or unknown invariants`)
process.exit(problems.length > 0 || files.length < 1500 ? 1 : 0)
