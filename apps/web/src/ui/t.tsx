import { textParts, type Values } from '@tizara/languages'
import { createElement, Fragment, type ReactNode } from 'react'

type Slot = ReactNode | Date | ((content: ReactNode) => ReactNode)

/** Private-use character around the name of an element in a formatted text. */
const MARK = '\uE000'

const together = (parts: readonly ReactNode[]): ReactNode => createElement(Fragment, null, ...parts)

/**
 * Shows a text with elements inside: `<T text="Read {page} or <a>ask</a>." page={<b>…</b>} a={(content) => <a>{content}</a>} />`.
 * @param props `text`: the English text; each other property is the value of a placeholder, or the element of a tag
 */
export function T({ text, ...slots }: { text: string } & Readonly<Record<string, Slot>>): ReactNode {
  const nodes = new Map<string, ReactNode>()
  const place = (parts: unknown[]): ReactNode =>
    together(
      parts.flatMap((part) =>
        typeof part === 'string'
          ? part.split(MARK).map((piece, index) => (index % 2 === 1 ? nodes.get(piece) : piece))
          : [part as ReactNode],
      ),
    )
  const values = Object.entries(slots).map(([name, slot]): [string, Values[string]] => {
    if (typeof slot === 'function') return [name, (content: unknown[]) => slot(place(content))]
    if (typeof slot === 'string' || typeof slot === 'number' || typeof slot === 'bigint' || slot instanceof Date) return [name, slot]
    nodes.set(name, slot)
    return [name, `${MARK}${name}${MARK}`]
  })
  return place(textParts(text, Object.fromEntries(values)))
}
