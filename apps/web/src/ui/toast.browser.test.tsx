import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Dialog } from './dialog.tsx'
import { toast, ToastHost } from './toast.tsx'

function Form() {
  const [open, setOpen] = useState(true)
  const done = (): void => {
    toast('It is done.', { ms: 0 })
    setOpen(false)
  }
  return (
    <>
      {open && (
        <Dialog open title="A form" onClose={() => setOpen(false)}>
          <button onClick={() => toast('Not yet.', { ms: 0 })}>Ask</button>
          <button onClick={done}>Do it</button>
        </Dialog>
      )}
      <ToastHost />
    </>
  )
}

it('shows a notice inside the open dialog, and keeps it when the dialog closes', async () => {
  await render(<Form />)
  await page.getByRole('button', { name: 'Ask' }).click()
  await expect.element(page.getByRole('dialog').getByText('Not yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Do it' }).click()
  await expect.element(page.getByRole('region', { name: 'Notices' }).getByText('It is done.')).toBeVisible()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(page.getByText('Not yet.')).toBeVisible()
})

it('shows a notice when the dialog is removed as soon as it was found', async () => {
  const dialog = document.createElement('dialog')
  document.body.append(dialog)
  dialog.showModal()
  const find = document.querySelectorAll.bind(document)
  vi.spyOn(document, 'querySelectorAll').mockImplementationOnce((selector: string) => {
    const found = find(selector)
    dialog.remove()
    return found
  })
  toast('It is done.', { ms: 0 })
  await render(<ToastHost />)
  await expect.element(page.getByText('It is done.')).toBeVisible()
})
