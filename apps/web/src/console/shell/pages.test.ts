import { existsSync, globSync } from 'node:fs'
import path from 'node:path'
import { allRoutes } from '@tizara/contract/all-routes'
import { expect, it } from 'vitest'
import { menu, pages } from './pages.ts'

const root = path.resolve(import.meta.dirname, '../pages')

it('lists every declared page in the order of the menu', () => {
  const folders = globSync('*/*.view.tsx', { cwd: root }).map((file) => path.dirname(file))
  expect(folders.filter((folder) => !existsSync(path.join(root, folder, 'page.ts')))).toEqual([])
  expect(pages).toHaveLength(folders.length)
  expect(menu.map(({ title }) => title)).toEqual(['', 'Work', 'People', 'Platform', 'Audit'])
  expect(pages[0]?.name).toBe('')
})

it('gives each page a unique address, key and menu position, and five of them a phone position', () => {
  const distinct = (values: readonly unknown[]) => expect(new Set(values).size).toBe(values.length)
  distinct(pages.map(({ name }) => name))
  distinct(pages.map(({ key }) => key).filter((key) => key !== undefined))
  distinct(pages.map(({ menu: { section, position } }) => `${section} ${position}`))
  expect(pages.filter((page) => page.menu.onPhone)).toHaveLength(5)
})

it('uses rights of calls that exist', () => {
  const calls = new Set<string>(allRoutes.map(({ name }) => name))
  expect(pages.filter(({ right }) => !calls.has(right)).map(({ name }) => name)).toEqual([])
})
