import '../shell/console.css'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { RowList } from './list-parts.tsx'

const Shown = ({ current }: { current: string | undefined }) => (
  <>
    <nav>
      <button type="button">Menu</button>
    </nav>
    <main id="main">
      <RowList
        label="Rows"
        rows={[{ id: 'a' }, { id: 'b' }]}
        current={current}
        onOpen={() => undefined}
        className={() => 'q'}
        headingOf={({ id }) => (id === 'b' ? 'Decided' : undefined)}
      >
        {({ id }) => <span>Row {id}</span>}
      </RowList>
      <input aria-label="Reason" />
    </main>
  </>
)

it('keeps a group’s heading outside the row below it, also when the row is selected', async () => {
  await render(<Shown current="b" />)
  await expect.element(page.getByRole('option', { name: 'Row b', exact: true })).toHaveAttribute('aria-selected', 'true')
  const heading = page.getByText('Decided').element().getBoundingClientRect()
  expect(heading.height).toBeLessThan(50)
  expect(heading.bottom).toBeLessThanOrEqual(page.getByRole('option', { name: 'Row b' }).element().getBoundingClientRect().top)
})

it('moves the focus from the menu when the selection moves, but not from a field', async () => {
  const { rerender } = await render(<Shown current={undefined} />)
  const focused = () => document.activeElement?.getAttribute('role') ?? document.activeElement?.tagName
  ;((await page.getByRole('button', { name: 'Menu' }).findElement()) as HTMLElement).focus()
  await rerender(<Shown current="a" />)
  await expect.poll(focused).toBe('listbox')
  ;((await page.getByRole('textbox', { name: 'Reason' }).findElement()) as HTMLElement).focus()
  await rerender(<Shown current="b" />)
  await expect.poll(() => page.getByRole('option', { name: 'Row b' }).element().getAttribute('aria-selected')).toBe('true')
  expect(focused()).toBe('INPUT')
})
