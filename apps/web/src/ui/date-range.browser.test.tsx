import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { DateRange } from './date-range.tsx'

const onChange = vi.fn()

/** Keeps the range like a list. */
function Sample({ start }: { start: { from: string; to: string } }) {
  const [range, setRange] = useState(start)
  const change = (next: typeof range) => {
    onChange(next)
    setRange(next)
  }
  return <DateRange {...range} max="2026-03-31" onChange={change} />
}

it('sets the first day when a period is chosen, and shows the period of a range', async () => {
  const screen = await render(<Sample start={{ from: '', to: '' }} />)
  const period = screen.getByRole('combobox', { name: 'Period' })
  await expect.element(period).toHaveValue('')
  await expect.element(screen.getByLabelText(/^From/)).not.toBeInTheDocument()
  for (const [label, value, from] of [
    ['Last 7 days', '7', '2026-03-25'],
    ['Last 30 days', '30', '2026-03-02'],
    ['Last 90 days', '90', '2026-01-01'],
    ['This month', 'month', '2026-03-01'],
    ['All days', '', ''],
  ] as const) {
    await period.selectOptions(label)
    expect(onChange).toHaveBeenLastCalledWith({ from, to: '' })
    await expect.element(period).toHaveValue(value)
  }
})

it('offers two fields when chosen days are wanted, and for a range that is no period', async () => {
  const screen = await render(<Sample start={{ from: '2026-03-01', to: '2026-03-31' }} />)
  await expect.element(screen.getByRole('combobox', { name: 'Period' })).toHaveValue('month')
  await screen.getByRole('combobox', { name: 'Period' }).selectOptions('Chosen days')
  await screen.getByLabelText(/^To/).fill('2026-03-10')
  expect(onChange).toHaveBeenLastCalledWith({ from: '2026-03-01', to: '2026-03-10' })
  await screen.rerender(<Sample key="other" start={{ from: '2026-02-01', to: '2026-02-10' }} />)
  await expect.element(screen.getByRole('combobox', { name: 'Period' })).toHaveValue('custom')
  await expect.element(screen.getByLabelText(/^From/)).toHaveValue('2026-02-01')
})
