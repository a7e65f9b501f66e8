import type { ChangeEvent, ComponentProps, SyntheticEvent } from 'react'
import { cx } from './cx.ts'
import { useFieldBinding } from './field-context.ts'

/** Maximum number of boxes, for a server with longer codes. */
const MAX_BOXES = 10

export interface CodeInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'size'> {
  value: string
  /** Number of characters in a code. */
  length: number
  /** Receives the code without blanks and hyphens, as mails and apps group it. */
  onCode: (code: string) => void
}

/** Moves a caret to the end, because the boxes show no caret between two characters. */
function moveCaretToEnd({ currentTarget: input }: SyntheticEvent<HTMLInputElement>): void {
  const end = input.value.length
  if (input.selectionStart === input.selectionEnd && input.selectionStart !== end) input.setSelectionRange(end, end)
}

/** Shows one box per character over a single text field, so that paste and autofill work as in any field. */
export function CodeInput({ value, length, onCode, className, ...rest }: CodeInputProps) {
  const bound = useFieldBinding()
  const boxes = Math.min(Math.max(length, value.length), MAX_BOXES)
  const next = Math.min(value.length, boxes - 1)
  return (
    <div className={cx('group relative', className)}>
      <input
        {...bound}
        {...rest}
        value={value}
        onChange={(event: ChangeEvent<HTMLInputElement>) => onCode(event.target.value.replace(/[\s-]/g, ''))}
        onSelect={moveCaretToEnd}
        className="peer absolute inset-0 size-full rounded-lg bg-transparent text-transparent caret-transparent outline-none selection:bg-transparent"
      />
      <div aria-hidden="true" className="pointer-events-none flex gap-2">
        {Array.from({ length: boxes }, (_, index) => (
          <span
            key={index}
            data-box
            className={cx(
              'control grid h-13 min-w-0 flex-1 place-items-center px-0 text-center font-mono text-xl',
              bound['aria-invalid'] && 'border-danger',
              index === next && 'group-focus-within:border-accent group-focus-within:ring-2 group-focus-within:ring-accent-soft',
            )}
          >
            {value[index] ?? ''}
          </span>
        ))}
      </div>
    </div>
  )
}
