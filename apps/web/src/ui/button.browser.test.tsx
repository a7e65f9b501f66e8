import { expect, it, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { Button } from './button.tsx'

it('ignores clicks while its promise is pending, and keeps focus and name', async () => {
  let done: () => void = () => undefined
  const work = vi.fn(() => new Promise<void>((resolve) => (done = resolve)))
  const screen = await render(<Button onClick={work}>Pay</Button>)
  const button = screen.getByRole('button', { name: /Pay/ })
  await button.click()
  ;((await button.findElement()) as HTMLElement).click()
  expect(work).toHaveBeenCalledTimes(1)
  await expect.element(button).toHaveAttribute('aria-disabled', 'true')
  await expect.element(button).toHaveFocus()
  await expect.element(screen.getByRole('status')).toHaveTextContent('Working')
  done()
  await expect.element(button).not.toHaveAttribute('aria-disabled')
  ;((await button.findElement()) as HTMLElement).click()
  expect(work).toHaveBeenCalledTimes(2)
})

it('does not submit its form while pending', async () => {
  const onSubmit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault())
  const screen = await render(
    <form onSubmit={onSubmit}>
      <Button type="submit" pending>
        Pay
      </Button>
    </form>,
  )
  ;((await screen.getByRole('button').findElement()) as HTMLElement).click()
  expect(onSubmit).not.toHaveBeenCalled()
})
