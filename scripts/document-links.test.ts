import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && name !== 'requirements.md')
    .map((name) => `docs/${name}`),
]
const withoutCode = (name: string) => readFileSync(path.join(root, name), 'utf8').replaceAll(/^```[^]*?^```/gm, '')

/** Returns the anchors of a document's headings, by GitHub's rules. */
const anchorsOf = (name: string) =>
  [...withoutCode(name).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )

it('links between documents lead to an existing file and heading', () => {
  const links = documents.flatMap((name) =>
    [...withoutCode(name).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, target = '', anchor]) => {
      const file = target === '' ? name : path.posix.join(path.posix.dirname(name), target)
      return { name, file, anchor }
    }),
  )
  expect(links.length).toBeGreaterThan(100)
  const broken = links.filter(
    ({ file, anchor }) => !existsSync(path.join(root, file)) || (anchor !== undefined && !anchorsOf(file).includes(anchor)),
  )
  expect(broken.map(({ name, file, anchor }) => `${name}: ${file}#${anchor ?? ''}`)).toEqual([])
})
