import './theme.css'
import { useState } from 'react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Dialog } from './dialog.tsx'
import { useModal } from './use-modal.ts'

function Page({
  closable = true,
  outside = false,
  onClose = () => undefined,
}: {
  closable?: boolean
  outside?: boolean
  onClose?: () => void
}) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <Dialog
        open={open}
        closable={closable}
        closeOnOutside={outside}
        title="Transfer"
        onClose={() => {
          onClose()
          setOpen(false)
        }}
      >
        <form>
          <input aria-label="Amount" name="amount" />
        </form>
      </Dialog>
    </>
  )
}

it('focuses its first field and restores the focus after Escape', async () => {
  const screen = await render(<Page />)
  await screen.getByRole('button', { name: 'Open' }).click()
  await expect.element(screen.getByRole('dialog', { name: 'Transfer' })).toBeVisible()
  await expect.element(screen.getByLabelText('Amount')).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(screen.getByRole('button', { name: 'Open' })).toHaveFocus()
})

it('closes with × and calls onClose once', async () => {
  const onClose = vi.fn()
  const screen = await render(<Page onClose={onClose} />)
  await screen.getByRole('button', { name: 'Open' }).click()
  await screen.getByRole('button', { name: 'Close' }).click()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  expect(onClose).toHaveBeenCalledTimes(1)
})

it('stays open while closing is not allowed', async () => {
  const screen = await render(<Page closable={false} />)
  await screen.getByRole('button', { name: 'Open' }).click()
  await userEvent.keyboard('{Escape}{Escape}{Escape}')
  await expect.element(screen.getByRole('dialog', { name: 'Transfer' })).toBeVisible()
})

it('closes with a click outside only when that is enabled', async () => {
  const press = (): boolean =>
    document.querySelector('dialog')?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, clientX: -5, clientY: -5 })) ?? false
  const first = await render(<Page />)
  await first.getByRole('button', { name: 'Open' }).click()
  press()
  await expect.element(first.getByRole('dialog')).toBeVisible()
  await first.unmount()
  const second = await render(<Page outside />)
  await second.getByRole('button', { name: 'Open' }).click()
  press()
  await expect.element(second.getByRole('dialog')).not.toBeInTheDocument()
})

/** Returns the pixel after painting the colours over each other. */
function painted(...colours: string[]): number[] {
  const pen = new OffscreenCanvas(1, 1).getContext('2d')
  if (pen === null) throw new Error('no canvas')
  for (const colour of colours) {
    pen.fillStyle = colour
    pen.fillRect(0, 0, 1, 1)
  }
  return [...pen.getImageData(0, 0, 1, 1).data]
}

it.each(['', 'dark'])('dims the scrollbar’s space like the page, theme "%s"', async (theme) => {
  document.body.className = theme
  onTestFinished(() => void (document.body.className = ''))
  const screen = await render(<Page />)
  await screen.getByRole('button', { name: 'Open' }).click()
  const backdrop = getComputedStyle(screen.getByRole('dialog').element(), '::backdrop').backgroundColor
  const root = getComputedStyle(document.documentElement)
  expect(root.backgroundImage).toBe('none')
  // A transition from the other theme may still be running.
  const apart = () => {
    const page = painted(getComputedStyle(document.body).backgroundColor, backdrop)
    return Math.max(...painted(root.backgroundColor).map((part, index) => Math.abs(part - (page[index] ?? 0))))
  }
  await expect.poll(apart).toBeLessThan(4)
})

/** Dialog content taller than the window, with a choice at its end. */
function Long() {
  const bind = useModal({ open: true, onClose: () => undefined })
  return (
    <dialog {...bind} aria-label="Long" style={{ maxHeight: 200, overflow: 'auto' }}>
      <h2>Keys</h2>
      <p style={{ height: 900 }}>Each of them.</p>
      <input type="checkbox" aria-label="On" />
    </dialog>
  )
}

it('opens at its top when only its end has buttons, and reaches them with Tab', async () => {
  const screen = await render(<Long />)
  const dialog = screen.getByRole('dialog')
  await expect.element(screen.getByRole('heading', { name: 'Keys' })).toHaveFocus()
  await expect.poll(() => dialog.element().scrollTop).toBe(0)
  await userEvent.keyboard('{Tab}')
  await expect.element(screen.getByRole('checkbox', { name: 'On' })).toHaveFocus()
  await expect.poll(() => dialog.element().scrollTop).toBeGreaterThan(0)
})
