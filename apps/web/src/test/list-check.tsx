import axe from 'axe-core'
import type { ComponentType } from 'react'
import { expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { mount } from './mount.tsx'

/** Expected list contents. */
export interface ListExpectation {
  Screen: ComponentType
  /** Exact heading. */
  title: string
  /** Exact column heads in order. */
  headers: readonly string[]
  /** First row's visible text. */
  cells: readonly string[]
  /** CSV file's first row, if it differs from the columns. */
  csv: string
  /** CSV header, if it has more columns than the list. */
  csvHead?: string
}

const texts = (selector: string): string[] =>
  [...document.querySelectorAll(selector)].map((element) => element.textContent.trim().replaceAll(/\s+/g, ' '))

/** Returns the list's visible columns, without the row button's column. */
export const visibleHeaders = (): string[] => texts('thead th').slice(0, -1)

/** Returns a row's visible cells, counted from 1. */
export const visibleCells = (row = 1): string[] => texts(`tbody tr:nth-child(${row}) td > span:last-child`)

/** Returns the page's axe violations, one per line. */
export async function axeViolations(within: Element = document.body): Promise<string[]> {
  const { violations } = await axe.run(within, {
    rules: { region: { enabled: false }, 'landmark-unique': { enabled: false } },
    // Without a list of each node that passes.
    resultTypes: ['violations'],
  })
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)
}

/** Returns the file from "Export CSV", without its byte-order mark. */
async function exported(): Promise<string> {
  const make = vi.spyOn(URL, 'createObjectURL')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await expect.poll(() => make).toHaveBeenCalled()
  const file = make.mock.calls.map(([one]) => one).find((one) => one instanceof Blob)
  make.mockRestore()
  return file instanceof Blob ? (await file.text()).replace('\ufeff', '') : ''
}

/** Expects two lines in the first row on a phone: a title and an amount or a state, without a horizontal scroll bar. */
async function expectTwoLines(): Promise<void> {
  const [width, height] = [innerWidth, innerHeight]
  await page.viewport(390, 844)
  const row = document.querySelector<HTMLElement>('tbody tr') ?? expect.fail('no row')
  const layout = () => {
    const boxes = [...row.querySelectorAll('td')].slice(0, -1).map((cell) => cell.getBoundingClientRect())
    const shown = boxes.filter((box) => box.height > 0)
    const left = Math.min(...shown.map((box) => box.left))
    return {
      onLeft: shown.filter((box) => box.left === left).length,
      hasRight: shown.some((box) => box.left > left),
      isLow: row.getBoundingClientRect().height < 100,
      fits: row.scrollWidth <= row.clientWidth,
    }
  }
  await expect.poll(layout).toEqual({ onLeft: 2, hasRight: true, isLow: true, fits: true })
  await page.viewport(width, height)
}

/** Renders a list and checks heading, columns, first row, CSV file, accessibility, and rows of two lines on a phone. */
export async function expectList({ Screen, title, headers, cells, csv, csvHead }: ListExpectation): Promise<void> {
  await mount(<Screen />)
  await expect.element(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Open receipt 1', exact: false }).first()).toBeVisible()
  expect(visibleHeaders()).toEqual(headers)
  expect(visibleCells()).toEqual(cells)
  expect(await axeViolations()).toEqual([])
  const [head, first] = (await exported()).split('\r\n')
  expect(head).toBe(csvHead ?? headers.join(','))
  expect(first).toBe(csv)
  await expectTwoLines()
}
