import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { LineChart } from './line-chart.tsx'

const SERIES = [
  { key: 'owed', label: 'Owed', color: 1 },
  { key: 'reserves', label: 'Reserves', color: 5 },
]
const points = (owed: number, reserves: number) =>
  [0, 1].map((day) => ({
    t: Date.parse('2026-03-04T00:00:00Z') + day * 864e5,
    values: { owed: { v: owed, text: `${owed} USD` }, reserves: { v: reserves, text: `${reserves} USD` } },
  }))
/** Returns the height of each line above the lower edge of the plot, as a part of the plot. */
const heights = () =>
  [...document.querySelectorAll('svg path')].map((path) => {
    const y = Number(/^M[\d.]+,([\d.]+)/.exec(path.getAttribute('d') ?? '')?.[1])
    return (196 - y) / 188
  })

it('keeps a line visible beside one that is 10,000 times higher, on a logarithmic axis that it names', async () => {
  await render(<LineChart label="Owed and reserves" series={SERIES} points={points(500, 5_000_000)} missingText="none" />)
  await expect.poll(heights).toHaveLength(2)
  const [owed = 0, reserves = 0] = heights()
  expect(owed).toBeGreaterThan(0.1)
  expect(reserves).toBeGreaterThan(owed)
  await expect.element(page.getByText(/^Logarithmic scale/)).toBeVisible()
})

it('draws lines of similar height from zero, also when one is zero on all days', async () => {
  await render(<LineChart label="Owed and reserves" series={SERIES} points={points(0, 50)} missingText="none" />)
  await expect.poll(() => heights()[0]).toBe(0)
  await expect.element(page.getByText(/^Logarithmic scale/)).not.toBeInTheDocument()
})
