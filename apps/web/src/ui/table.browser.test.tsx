import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Table } from './table.tsx'

const tableWith = (text: string) => (
  <div style={{ width: 300 }}>
    <Table>
      <tbody>
        <tr>
          <td style={{ whiteSpace: 'nowrap' }}>{text}</td>
        </tr>
      </tbody>
    </Table>
  </div>
)

it('takes focus only while it scrolls sideways, also when its content grows later', async () => {
  const frame = page.getByRole('group', { name: 'Table, scrolls sideways' })
  const { rerender } = await render(tableWith('short'))
  await expect.element(page.getByRole('cell')).toBeVisible()
  expect(frame.elements()).toHaveLength(0)
  await rerender(tableWith('a much longer text '.repeat(10)))
  await expect.element(frame).toHaveAttribute('tabindex', '0')
  await rerender(tableWith('short'))
  await expect.poll(() => frame.elements().length).toBe(0)
})
