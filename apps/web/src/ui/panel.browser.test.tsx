import './theme.css'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Panel } from './panel.tsx'

it('does not break a word of its title beside a long action', async () => {
  await render(
    <div style={{ width: 358 }}>
      <Panel title="Add money" action="above 1,000,000,000 TIZARA or 1,000,000 USD two people">
        text
      </Panel>
    </div>,
  )
  const title = page.getByRole('heading', { name: 'Add money' })
  await expect.element(title).toBeVisible()
  const text = title.element().firstChild ?? expect.fail('no text')
  const range = document.createRange()
  range.setStart(text, 'Add '.length)
  range.setEnd(text, 'Add money'.length)
  expect(range.getClientRects()).toHaveLength(1)
  expect(title.element().scrollWidth).toBeLessThanOrEqual(title.element().clientWidth)
})
