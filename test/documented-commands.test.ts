import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { SETTINGS } from '../apps/server/src/platform/config/environment.ts'
import { fieldsOf, staffCalls } from '../apps/server/src/cli/staff/call.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const scripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts
const ofRelease = new Set(
  [...read('apps/server/src/cli/process/tizara.ts').matchAll(/^ {2}'?([\w-]+)'?: \{ does:/gm)].map(([, name]) => name),
)

/** Returns the code in a document. */
const codeOf = (text: string) => [...text.matchAll(/```[^\n]*\n([^]*?)```|`([^`\n]+)`/g)].map(([, block, inline]) => block ?? inline ?? '')

const documents = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...readdirSync(path.join(root, 'docs')).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md') && !/requirements|spec-/.test(name))

/** Pages for operators. */
const GUIDES = ['install', 'operations', 'staff', 'backups', 'chain', 'tested-environments', 'runbook', 'provider']
const sources = readdirSync(path.join(root, 'apps/server/src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => `apps/server/src/${name}`)

/** Commands that a document or the product tells an operator to type: program, command and arguments. */
const told = [
  ...documents.flatMap((where) =>
    codeOf(read(where)).flatMap((code) =>
      [...code.matchAll(/(?:^|[\s"(/])(tizara|npm run(?: --silent)?) ([a-z][\w:-]*)([^\n|&;]*)/g)].map(
        ([, program = '', name = '', rest = '']) => ({
          where,
          program,
          name,
          rest,
        }),
      ),
    ),
  ),
  ...sources.flatMap((where) =>
    [...read(where).matchAll(/shellCommand\(['`]([a-z-]+)([^'`]*)/g)].map(([, name = '', rest = '']) => ({
      where,
      program: 'tizara',
      name,
      rest,
    })),
  ),
]

it('every documented command exists, in a clone and in a release', () => {
  expect(told.length).toBeGreaterThan(80)
  const wrong = told.filter(({ program, name }) => !(program === 'tizara' ? name === 'help' || ofRelease.has(name) : name in scripts))
  expect(wrong.map(({ where, name }) => `${where}: ${name}`)).toEqual([])
})

it('a command suggested by the product has a placeholder for its file', () => {
  const files = told.filter(({ where, name }) => where.startsWith('apps/') && ['backup', 'restore'].includes(name))
  expect(files.length).toBeGreaterThan(0)
  expect(files.filter(({ rest }) => !/ [A-Z]+/.test(rest))).toEqual([])
})

it('every documented staff call exists, and accepts the documented parameters', () => {
  const calls = told
    .filter(({ name }) => name === 'staff')
    .map(({ where, rest }) => ({ where, words: rest.replace(/^ --/, '').trim().split(/\s+/) }))
  const wrong = calls.flatMap(({ where, words: [call = '', ...given] }) => {
    if (['', 'help', 'sign-in', 'sign-out', 'first-admin', 'confirm-people', 'confirm-staff', 'CALL'].includes(call)) return []
    const route = staffCalls.get(call)
    if (route === undefined) return [`${where}: ${call}`]
    const takes = [route.params, route.query, route.body].flatMap((schema) => Object.keys(fieldsOf(schema)))
    return given.flatMap((word) => {
      const key = /^(\w+)=/.exec(word)?.[1]
      return key === undefined || takes.includes(key) ? [] : [`${where}: ${call} ${key}`]
    })
  })
  expect(calls.length).toBeGreaterThan(10)
  expect(wrong).toEqual([])
})

/** Returns the source of a command's options: its line among the server's commands, or the script's target. */
const sourceOf = (program: string, name: string): string => {
  const script = scripts[name]
  const entry =
    /entry\.mjs ([\w-]+)/.exec(script ?? '')?.[1] ?? (program === 'tizara' ? ({ audit: 'ledger-audit' }[name] ?? name) : undefined)
  if (entry !== undefined) return new RegExp(`^ {2}'?${entry}'?: .*`, 'm').exec(read('apps/server/src/cli/command-line.mjs'))?.[0] ?? ''
  if (name === 'bench')
    return readdirSync(path.join(root, 'bench'))
      .map((file) => (file.endsWith('.ts') ? read(`bench/${file}`) : ''))
      .join('')
  return read(/(?:scripts|tools)\/[\w./-]+/.exec(script ?? '')?.[0] ?? 'package.json')
}

it('every documented option belongs to its command', () => {
  const options = told.flatMap(({ where, program, name, rest }) =>
    [...rest.matchAll(/(?<=\s)--([a-z][a-z-]*)/g)].map(([, option = '']) => ({ where, option, source: sourceOf(program, name) })),
  )
  expect(options.length).toBeGreaterThan(15)
  const known = ({ option, source }: (typeof options)[number]) =>
    new RegExp(`--${option}\\b|[ {]'?${option}'?: (\\{ type|yes|text)`, 'm').test(source)
  expect(options.filter((one) => !known(one)).map(({ where, option }) => `${where}: --${option}`)).toEqual([])
})

it('every documented setting exists', () => {
  /** Shell variables, variables of other programs, answers to a question, and error codes. */
  const others = /^(TIZARA_SETTINGS|PROVIDER_KEY|PAY_HOSTS|(OWNER|APP)_PASSWORD|PATRONI_\w+|GIVE_BACK|NOT_COVERED|SALES_FUND_SHORT)$/
  const settings = new Set(SETTINGS.flatMap(({ name, fromFile }) => (fromFile ? [name, `${name}_FILE`] : [name])))
  const pages = ['README.md', 'CHANGELOG.md', ...[...GUIDES, 'cluster'].map((name) => `docs/${name}.md`)]
  const named = pages.flatMap((where) => [...read(where).matchAll(/\b[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+\b/g)].map(([name]) => ({ where, name })))
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter(({ name }) => !settings.has(name) && !others.test(name))).toEqual([])
})

const units = new Set(readdirSync(path.join(root, 'deploy')).map((name) => name.replace(/\.(service|socket|timer)$/, '')))

it('every documented unit exists', () => {
  const named = documents.flatMap((where) =>
    [...read(where).matchAll(/\btizara-(api|worker|nightly|[a-z]+)(?:\.(?:service|socket|timer))?\b(?!-)/g)].map(([all]) => all),
  )
  for (const name of named) expect([name, units.has(name.replace(/\.(service|socket|timer)$/, ''))]).toEqual([name, true])
})

it('every documented metric, job, column, limit and file exists in the code or in deploy', () => {
  /** Names from PostgreSQL, systemd and useradd. */
  const others =
    /^(backup\.env|EnvironmentFile|home-dir|daemon-reload|reload-or-restart|reset-failed|postgresql\.conf|wal_level|archive_timeout|max_wal_size|pg_archivecleanup|pg_replication_slots)$/
  const folders = [
    'apps/server/src',
    'apps/server/test',
    'apps/web/src/app',
    'packages/contract/src',
    'deploy',
    'scripts',
    'tools',
    'test',
    'docs',
  ]
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.\w+$/.test(name) && !/node_modules|\.(md|webp)$/.test(name))
      .map((name) => `${folder}/${name}`),
  )
  const code = [...files.map(read), read('package.json'), ...staffCalls.keys()].join('\n')
  const names = new Set([...files, ...documents, ...readdirSync(path.join(root, 'deploy'))].map((name) => name.split('/').at(-1)))
  const written = [...GUIDES, 'cluster', 'capacity'].flatMap((page) =>
    codeOf(read(`docs/${page}.md`)).flatMap((text) =>
      [...text.matchAll(/[A-Za-z][\w.-]*\w/g)]
        .map(([name]) => name)
        .filter((name) => /[a-z]_[a-z]|[a-z][A-Z]|[a-z]-[a-z]|\.(ts|sql|md|json|conf|cfg|ini|env|ya?ml)$/.test(name))
        .map((name) => ({ page, name })),
    ),
  )
  expect(written.length).toBeGreaterThan(250)
  const known = (name: string) => code.includes(name) || names.has(name) || units.has(name) || others.test(name)
  expect(written.filter(({ name }) => !known(name)).map(({ page, name }) => `${page}: ${name}`)).toEqual([])
})

it('every documented console label and quoted sentence is in the product or a heading', () => {
  const code = ['apps/web/src', 'packages/contract/src'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
      .map((name) => read(`${folder}/${name}`)),
  )
  const chapters = documents.flatMap((name) => read(name).match(/^#+ .*$/gm) ?? [])
  const product = [...code, ...chapters].join('\n')
  const quoted = GUIDES.filter((page) => page !== 'install').flatMap((page) => {
    const text = read(`docs/${page}.md`).replaceAll(/```[^]*?```|`[^`]*`/g, '')
    return [...text.matchAll(/[“"]([A-Z][^”"]{3,120})[”"]/g)].map(([, label = '']) => ({ page, label: label.replaceAll(/\s+/g, ' ') }))
  })
  expect(quoted.length).toBeGreaterThanOrEqual(5)
  expect(quoted.filter(({ label }) => !product.includes(label))).toEqual([])
})
