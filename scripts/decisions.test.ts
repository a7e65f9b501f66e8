import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = new URL('../docs/decisions/', import.meta.url)
const pages = readdirSync(folder)
  .filter((name) => name !== 'README.md')
  .toSorted()
const text = (name: string) => readFileSync(new URL(name, folder), 'utf8')

it('numbers decisions without a gap, in one form, with the title of the index', () => {
  const index = text('README.md')
  pages.forEach((name, position) => {
    const number = String(position + 1).padStart(4, '0')
    expect(name).toMatch(new RegExp(`^${number}-[a-z0-9-]+\\.md$`))
    expect(text(name)).toMatch(new RegExp(`^# ${number} \\S`))
    expect(index).toContain(`[${number}](${name})`)
  })
  expect(index.match(/^\| \[\d{4}\]/gm)).toHaveLength(pages.length)
})

it('finds each decision in the code that it explains', () => {
  const named = execFileSync('git', ['grep', '-ohE', 'docs/decisions/[0-9a-z-]+\\.md', '--', 'apps', 'packages', 'scripts', 'tools'], {
    cwd: root,
    encoding: 'utf8',
  })
  const found = new Set(named.trim().split('\n'))
  expect(pages.filter((name) => !found.has(`docs/decisions/${name}`))).toEqual([])
  expect([...found].filter((name) => !pages.includes(name.slice('docs/decisions/'.length)))).toEqual([])
})
