import { expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { PopoverMenu } from './popover-menu.tsx'

it('opens with the arrow key, moves, finds by letter, selects and restores the focus on Escape', async () => {
  const onSelect = vi.fn()
  const items = [
    { key: 'p', label: 'Profile' },
    { key: 's', label: 'Support' },
    { key: 'o', label: 'Sign out', onSelect },
  ]
  const screen = await render(<PopoverMenu label="Account" trigger="Account" items={items} />)
  const button = screen.getByRole('button', { name: 'Account' })
  ;((await button.findElement()) as HTMLElement).focus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(screen.getByRole('menuitem', { name: 'Profile' })).toHaveFocus()
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(screen.getByRole('menuitem', { name: 'Sign out' })).toHaveFocus()
  await userEvent.keyboard('{Home}s')
  await expect.element(screen.getByRole('menuitem', { name: 'Support' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(button).toHaveFocus()
  await expect.element(button).toHaveAttribute('aria-expanded', 'false')
  await userEvent.keyboard('{ArrowDown}{End}{Enter}')
  expect(onSelect).toHaveBeenCalledTimes(1)
})
