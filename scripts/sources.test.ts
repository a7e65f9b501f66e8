import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { memberRoutes, publicRoutes } from '../apps/web/src/app/page-routes.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = ['apps/server/src', 'apps/web/src', 'packages/contract/src', 'packages/money/src'].flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^test\//.test(file))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
)
const naming = (pattern: RegExp) => files.filter((file) => pattern.test(readFileSync(`${root}${file}`, 'utf8')))

describe('scripts that start other programs of the project', () => {
  it('name files that are in the repository', () => {
    const kept = new Set(
      execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' }).split('\n'),
    )
    const named = ['scripts', 'tools', 'bench', 'test', 'e2e'].flatMap((folder) =>
      readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(ts|mjs)$/.test(file) && !file.endsWith('.test.ts'))
        .flatMap((file) =>
          [
            ...readFileSync(`${root}${folder}/${file}`, 'utf8').matchAll(
              /'((?:scripts|tools|bench|test|apps|packages)\/[\w./-]+\.(?:ts|mjs))'/g,
            ),
          ].map(([, name = '']) => name),
        ),
    )
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !kept.has(name))).toEqual([])
  })
})

describe('product code', () => {
  it('links in mails and errors only to pages of the app', () => {
    const pages = new Set([...publicRoutes, ...memberRoutes].map(({ path }) => path))
    const links = files.flatMap((file) =>
      [...readFileSync(`${root}${file}`, 'utf8').matchAll(/publicUrl\}(\/(?!api\/|health\/|sandbox\/|staff\b)[\w/-]*)/g)].map(
        ([, link = '']) => link,
      ),
    )
    expect(links.length).toBeGreaterThan(8)
    expect(links.filter((link) => !pages.has(link))).toEqual([])
  })

  it('sets how often a read is retried in one place, so that no list gives up at the first failure', () => {
    const retrying = naming(/\bretry: |\bretryDelay: |\bretryOnMount: /).filter((file) => file.startsWith('apps/web/'))
    expect(retrying).toEqual(['apps/web/src/lib/http/query.ts'])
  })

  it('names no role in a text of the console, which reads the roles of a right', () => {
    const role = /\b(?:SUPPORT|FINANCE|ADMIN|AUDITOR)\b|\b(?:[Aa]n|[Oo]ne|[Tt]wo|[Aa]nother|second|other) admins?\b/
    const pages = files.filter((file) => file.startsWith('apps/web/src/console/'))
    const texts = (file: string) =>
      readFileSync(`${root}${file}`, 'utf8')
        .replaceAll(/\/\*[^]*?\*\/|\/\/ [^\n]*/g, '')
        // A role as a value.
        .replaceAll(/'[A-Z]+'/g, '')
    expect(pages.length).toBeGreaterThan(100)
    expect(pages.filter((file) => role.test(texts(file)))).toEqual([])
  })

  it('evaluates no text, and starts processes only for backups and the sandbox chain, without a shell', () => {
    expect(files.length).toBeGreaterThan(500)
    expect(naming(/node:vm\b|\beval\(|new Function\(|\bshell:/)).toEqual([])
    expect(naming(/node:child_process/)).toEqual([
      'apps/server/src/cli/backup/postgres-tool.ts',
      'apps/server/src/platform/embedded/embedded-worker.ts',
      'apps/server/src/sandbox/chain/anvil.ts',
    ])
  })

  it('follows no redirect in any fetch call of the server', () => {
    const calls = files
      .filter((file) => file.startsWith('apps/server/'))
      .map((file) => [file, readFileSync(`${root}${file}`, 'utf8')] as const)
      .filter(([, text]) => /\bfetch\(/.test(text))
    expect(calls.length).toBeGreaterThan(5)
    const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0
    expect(
      calls.filter(([, text]) => count(text, /\bfetch\(/g) !== count(text, /redirect: '(error|manual)'/g)).map(([file]) => file),
    ).toEqual([])
  })

  it('sorts no rows by their random public id', () => {
    const outer = (query: string): string => {
      const unnested = query.replaceAll(/\([^()]*\)/g, ' ')
      return unnested === query ? query : outer(unnested)
    }
    const queries = (file: string) => readFileSync(`${root}${file}`, 'utf8').match(/`[^`]*`/g) ?? []
    // In `select public_id as id … order by id`, the name refers to the output column and not to the row's id.
    const astray = files.filter((file) => queries(file).some((query) => /\bpublic_id as "?id\b[^]*\border by "?id\b/.test(outer(query))))
    expect(astray).toEqual([])
  })
})
