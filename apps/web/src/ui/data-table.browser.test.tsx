import './theme.css'
import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { DataTable } from './data-table.tsx'
import type { Column } from './data-table.tsx'

interface Row {
  id: number
  name: string
}

const COLUMNS: Array<Column<Row>> = [
  { key: 'no', header: 'SL NO', cell: (_, i) => i + 1 },
  {
    key: 'name',
    header: 'Name',
    cell: (row) => (
      <>
        <a href="#x">{row.name}</a> text
      </>
    ),
  },
]
const ROWS: Row[] = [
  { id: 1, name: 'Ann' },
  { id: 2, name: 'Bo' },
]
const base = { caption: 'People', columns: COLUMNS, rowKey: (row: Row) => row.id }

it('shows a title, an amount and a second line on phones when columns have these places, and cards otherwise', async () => {
  await page.viewport(390, 844)
  const columns: Array<Column<Row>> = [
    { key: 'no', header: 'SL NO', cell: (_, i) => i + 1 },
    { key: 'date', header: 'Date', phone: 'second', cell: () => '05 Mar 2026' },
    { key: 'name', header: 'Name', phone: 'title', cell: (row) => row.name },
    { key: 'amount', header: 'Amount', phone: 'amount', align: 'right', cell: () => '250.00' },
    { key: 'level', header: 'Level', phone: 'state', align: 'right', cell: () => 3 },
  ]
  const screen = await render(<DataTable {...base} columns={columns} rows={ROWS} onRowOpen={() => undefined} />)
  const row = () => screen.container.querySelector<HTMLElement>('tbody tr') ?? expect.fail('no row')
  await expect.poll(() => row().innerText.replaceAll(/\s+/g, ' ')).toBe('05 Mar 2026 Ann 250.00 Level 3 Open row 1')
  const top = (text: string) => screen.getByText(text, { exact: true }).first().element().getBoundingClientRect().top
  expect(Math.abs(top('Ann') - top('250.00'))).toBeLessThan(4)
  expect(top('05 Mar 2026')).toBeGreaterThan(top('Ann') + 10)
  await screen.rerender(<DataTable {...base} columns={columns.map((column) => ({ ...column, phone: undefined }))} rows={ROWS} />)
  await expect.poll(() => row().innerText.replaceAll(/\s+/g, ' ')).toBe('SL NO 1 Date 05 Mar 2026 Name Ann Amount 250.00 Level 3')
  await page.viewport(1280, 720)
})

it('shows the mark of a row in front of the second line on phones, and no cut title', async () => {
  await page.viewport(390, 844)
  const columns: Array<Column<Row>> = [
    { key: 'name', header: 'Name', phone: 'title', cell: (row) => `${row.name}, who has rather a long name` },
    { key: 'amount', header: 'Amount', phone: 'amount', cell: () => '250.00', mark: (row) => (row.id === 1 ? <b>Held</b> : undefined) },
    { key: 'date', header: 'Date', phone: 'second', cell: () => '05 Mar 2026' },
  ]
  const screen = await render(<DataTable {...base} columns={columns} rows={ROWS} />)
  const rows = () => [...screen.container.querySelectorAll<HTMLElement>('tbody tr')].map((row) => row.innerText.replaceAll(/\s+/g, ' '))
  await expect
    .poll(rows)
    .toEqual(['Ann, who has rather a long name 250.00 Held 05 Mar 2026', 'Bo, who has rather a long name 250.00 05 Mar 2026'])
  const [title] = screen.container.querySelectorAll('td')
  expect(title?.scrollWidth).toBeLessThanOrEqual(title?.clientWidth ?? 0)
  await page.viewport(1280, 720)
  await expect.element(screen.getByText('Held')).not.toBeVisible()
})

it('gives the second line the whole width when a row has no state', async () => {
  await page.viewport(390, 844)
  const columns: Array<Column<Row>> = [
    { key: 'date', header: 'Time', phone: 'title', cell: () => '05 Mar 2026' },
    { key: 'total', header: 'Total Price', phone: 'second', align: 'right', cell: () => '1,280.00 USD of the Deposit Wallet' },
    { key: 'amount', header: 'Coin Amount', phone: 'amount', align: 'right', cell: () => '200,000.00 TIZARA' },
  ]
  const screen = await render(<DataTable {...base} columns={columns} rows={ROWS} onRowOpen={() => undefined} />)
  const cut = () =>
    [...screen.container.querySelectorAll<HTMLElement>('tbody td:not(:last-child)')]
      .filter((cell) => cell.scrollWidth > cell.clientWidth)
      .map((cell) => cell.innerText)
  await expect.element(screen.getByText('200,000.00 TIZARA').first()).toBeVisible()
  expect(cut()).toEqual([])
  await page.viewport(1280, 720)
})

it('numbers rows across pages', async () => {
  const onPage = vi.fn()
  const screen = await render(<DataTable {...base} rows={ROWS} page={3} limit={25} total={52} onPage={onPage} />)
  await expect.element(screen.getByRole('table', { name: 'People' })).toBeVisible()
  await expect.element(screen.getByRole('cell', { name: '51' })).toBeVisible()
  await expect.element(screen.getByText('51–52 of 52')).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Page 3' })).toHaveAttribute('aria-current', 'page')
  await expect.element(screen.getByRole('button', { name: 'Next page' })).toBeDisabled()
  await screen.getByRole('button', { name: 'Page 1' }).click()
  expect(onPage).toHaveBeenCalledWith(1)
})

it('opens a row by its button and by the row, not by a link inside', async () => {
  const onRowOpen = vi.fn()
  const screen = await render(<DataTable {...base} rows={ROWS} onRowOpen={onRowOpen} rowLabel={(row) => `Open ${row.name}`} />)
  await screen.getByRole('button', { name: /Open Bo/ }).click()
  expect(onRowOpen).toHaveBeenCalledTimes(1)
  expect(onRowOpen).toHaveBeenLastCalledWith(ROWS[1])
  await screen.getByRole('link', { name: 'Ann' }).click()
  expect(onRowOpen).toHaveBeenCalledTimes(1)
  ;(document.querySelector('tbody td') as HTMLElement).click()
  expect(onRowOpen).toHaveBeenLastCalledWith(ROWS[0])
})

it('leads back from a page beyond the end of the list', async () => {
  const onPage = vi.fn()
  const screen = await render(
    <DataTable {...base} rows={[]} page={4} limit={25} total={52} onPage={onPage} emptyHint="Nothing happened yet" />,
  )
  await expect.element(screen.getByText('Data Not Found')).toBeVisible()
  await expect.element(screen.getByText('The list ends before this page.')).toBeVisible()
  await expect.element(screen.getByText('0 of 52')).toBeVisible()
  expect(screen.container.textContent).not.toContain('Nothing happened yet')
  await screen.getByRole('button', { name: 'First page' }).click()
  expect(onPage).toHaveBeenCalledExactlyOnceWith(1)
})

it('shows the empty state only when nothing was found', async () => {
  const screen = await render(<DataTable {...base} rows={undefined} />)
  await expect.element(screen.getByText('Data Not Found')).not.toBeInTheDocument()
  expect(screen.container.querySelector('[aria-busy=true]')).not.toBeNull()
  await screen.rerender(<DataTable {...base} rows={[]} emptyAction={<button type="button">Stake</button>} />)
  await expect.element(screen.getByText('Data Not Found')).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Stake' })).toBeVisible()
})
