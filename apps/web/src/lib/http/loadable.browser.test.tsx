import { type ComponentType } from 'react'
import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ErrorBoundary } from '../../app/error-boundary.tsx'
import { type Loadable, loadable, useLoaded } from './loadable.ts'

type Module = { default: ComponentType<object> }

function Slot({ module }: { module: Loadable<object> }) {
  const Loaded = useLoaded(module)
  return Loaded === undefined ? <p>Waiting</p> : <Loaded />
}

const Done = () => <p>Loaded</p>

it('shows the component when its module is loaded, and loads it once', async () => {
  const { promise, resolve } = Promise.withResolvers<Module>()
  const load = vi.fn(() => promise)
  const module = loadable(load)
  const screen = await render(<Slot module={module} />)
  await expect.element(page.getByText('Waiting')).toBeVisible()
  resolve({ default: Done })
  await expect.element(page.getByText('Loaded')).toBeVisible()
  await screen.unmount()
  await render(<Slot module={module} />)
  await expect.element(page.getByText('Loaded')).toBeVisible()
  expect(load).toHaveBeenCalledTimes(1)
})

it('shows a failed load to the error boundary, and loads again on request', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const load = vi.fn<() => Promise<Module>>().mockRejectedValueOnce(new Error('no network')).mockResolvedValue({ default: Done })
  await render(
    <ErrorBoundary>
      <Slot module={loadable(load)} />
    </ErrorBoundary>,
  )
  await expect.element(page.getByText('This page could not be shown')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('Loaded')).toBeVisible()
})
