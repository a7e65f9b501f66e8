/** `npm test -- structure`: rejects retired words (docs/glossary.md) in file names and exported names. */
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
])
const EXPORT = /^export (?:default )?(?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm
/** A token sweep moves tokens off invoice addresses: there the word is the term. */
const TOKEN_SWEEPS = /gateways\/chain\/|token-sweep|(?:^|\/)sweeps?\b.*deposit/
/** Rooms whose names are still being replaced. An entry goes when its room is done. */
const EXCEPTIONS: readonly string[] = [
  'apps/server/src/cli/',
  'apps/server/src/diagnostics/',
  'apps/server/src/gateways/chain/',
  'apps/server/src/jobs/background-job.ts',
  'apps/server/src/ledger/audit.ts',
  'apps/server/src/main/wait-for-schema.ts',
  'apps/server/src/modules/audit/',
  'apps/server/src/modules/deposits/',
  'apps/server/src/modules/nfts/',
  'apps/server/src/modules/rewards/',
  'apps/server/src/modules/staff/',
  'apps/server/src/modules/staking/',
  'apps/server/src/modules/transfers/',
  'apps/server/src/modules/withdrawals/',
  'apps/server/src/platform/config/',
  'apps/server/test/',
  'apps/web/src/',
  'bench/lib/',
  'tools/',
]

/** Words of a name in camel case, kebab case or capitals, in small letters. */
const wordsOf = (name: string) =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
const retiredIn = (name: string, file: string) => {
  const words = wordsOf(name)
  if (words.join(' ').includes('last word')) return 'last word'
  return words.find((word) => RETIRED.has(word) && !(word.startsWith('sweep') && TOKEN_SWEEPS.test(file)))
}

const files = execFileSync('git', ['ls-files', 'apps', 'packages', 'scripts', 'tools', 'bench', 'e2e', 'test'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(ts|tsx|mjs|sql)$/.test(file) && !file.includes('generated') && !EXCEPTIONS.some((room) => file.startsWith(room)))
const faults = files.flatMap((file) => {
  const names = [file.slice(file.lastIndexOf('/') + 1), ...[...readFileSync(file, 'utf8').matchAll(EXPORT)].map(([, name = '']) => name)]
  return names.flatMap((name) => {
    const word = retiredIn(name, file)
    return word === undefined ? [] : [`${file}: ${name} has the retired word "${word}" (docs/glossary.md)`]
  })
})
for (const fault of faults) console.error(fault)
console.log(`${files.length} files, ${faults.length} retired words in names`)
process.exit(faults.length > 0 || files.length < 150 ? 1 : 0)
