import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { MessageHost, confirmMessage, showMessage } from './message-box.tsx'

it('returns yes, no and Escape', async () => {
  const screen = await render(<MessageHost />)
  const yes = confirmMessage({ title: 'Stake it?' })
  await screen.getByRole('button', { name: 'Yes' }).click()
  expect(await yes).toBe(true)
  const no = confirmMessage({ title: 'Stake it?', cancelLabel: 'Not now' })
  await screen.getByRole('button', { name: 'Not now' }).click()
  expect(await no).toBe(false)
  const escaped = confirmMessage({ title: 'Stake it?' })
  await expect.element(screen.getByRole('alertdialog', { name: 'Stake it?' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  expect(await escaped).toBe(false)
})

it('shows messages one after another, and closes after a time', async () => {
  const screen = await render(<MessageHost />)
  const first = showMessage({ icon: 'success', title: 'First', text: 'Done', autoCloseMs: 60 })
  const second = showMessage({ icon: 'error', title: 'Second' })
  await expect.element(screen.getByRole('heading', { name: 'First' })).toBeVisible()
  await first
  await expect.element(screen.getByRole('heading', { name: 'Second' })).toBeVisible()
  await screen.getByRole('button', { name: 'OK' }).click()
  await second
  await expect.element(screen.getByRole('alertdialog')).not.toBeInTheDocument()
})
