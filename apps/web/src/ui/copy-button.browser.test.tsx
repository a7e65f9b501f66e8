import { afterEach, expect, it, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { CopyButton } from './copy-button.tsx'

afterEach(() => vi.restoreAllMocks())

it('copies the fetched text and confirms it', async () => {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  const onCopied = vi.fn()
  const screen = await render(<CopyButton text={async () => 'AMARA7'} onCopied={onCopied} />)
  await screen.getByRole('button').click()
  await expect.element(screen.getByRole('status')).toHaveTextContent('Copied')
  expect(write).toHaveBeenCalledWith('AMARA7')
  expect(onCopied).toHaveBeenCalledWith('AMARA7')
})

it('reports a failure and does not claim success', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'))
  const onFailed = vi.fn()
  const screen = await render(<CopyButton text="AMARA7" onFailed={onFailed} />)
  await screen.getByRole('button').click()
  await expect.poll(() => onFailed).toHaveBeenCalledTimes(1)
  await expect.element(screen.getByRole('status')).toHaveTextContent('')
})
