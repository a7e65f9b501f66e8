import axe from 'axe-core'
import type { ComponentType } from 'react'
import { expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { mount } from './mount.tsx'

/** What a list should show. */
export interface ListExpectation {
  Screen: ComponentType
  /** The heading, to the letter. */
  title: string
  /** The columns, to the letter and in order. */
  headers: readonly string[]
  /** The first row as it is read. */
  cells: readonly string[]
  /** The first row of the CSV file, when it differs from the columns as they stand. */
  csv: string
  /** The file's header when it says more than the list. */
  csvHead?: string
}

const texts = (selector: string): string[] =>
  [...document.querySelectorAll(selector)].map((element) => element.textContent.trim().replaceAll(/\s+/g, ' '))

/** The columns of the list in sight, without the one of the row's button. */
export const headersInSight = (): string[] => texts('thead th').slice(0, -1)

/** The cells of a row as they are read, from 1. */
export const cellsInSight = (row = 1): string[] => texts(`tbody tr:nth-child(${row}) td > span:last-child`)

/** Faults that axe finds on the page, one a line. */
export async function axeFaults(): Promise<string[]> {
  const { violations } = await axe.run(document.body, { rules: { region: { enabled: false }, 'landmark-unique': { enabled: false } } })
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)
}

/** The file that "Export CSV" hands out, without its byte-order mark. */
async function exported(): Promise<string> {
  const make = vi.spyOn(URL, 'createObjectURL')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await expect.poll(() => make).toHaveBeenCalled()
  const file = make.mock.calls.map(([one]) => one).find((one) => one instanceof Blob)
  make.mockRestore()
  return file instanceof Blob ? (await file.text()).replace('\ufeff', '') : ''
}

/** Shows a list and compares heading, columns, first row, CSV file and accessibility. */
export async function expectList({ Screen, title, headers, cells, csv, csvHead }: ListExpectation): Promise<void> {
  await mount(<Screen />)
  await expect.element(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Open receipt 1', exact: false }).first()).toBeVisible()
  expect(headersInSight()).toEqual(headers)
  expect(cellsInSight()).toEqual(cells)
  expect(await axeFaults()).toEqual([])
  const [head, first] = (await exported()).split('\r\n')
  expect(head).toBe(csvHead ?? headers.join(','))
  expect(first).toBe(csv)
}
