import { navigate } from 'wouter/use-browser-location'
import { receiptHref, type ReceiptRef } from '../lib/receipt-link.ts'
import { buttonClass } from '../ui/button-class.ts'
import { cx } from '../ui/cx.ts'
import { showMessage } from '../ui/message-box.tsx'

/** The title of a success popup (GN-33). */
const SUCCESS_TITLE = 'success'

interface MoveDone {
  message: string
  /** The server's receipt of the movement, when it sent one. */
  receipt?: ReceiptRef | undefined
  /** The page that lists the movement; without one, the dashboard opens the receipt. */
  history?: string | undefined
  /** What the member has to do yet. */
  next?: string | undefined
  /** What many do after it: a page that continues from here. */
  followUp?: FollowUp | undefined
}

/** A link to the page that continues. */
export interface FollowUp {
  label: string
  href: string
}

/** Says that money has moved, in the server's words, with the way to its row (UI-M-COMMON-03, ER-30). */
export function showMoveDone({ message, receipt, history, next, followUp }: MoveDone): Promise<void> {
  const href = history !== undefined || receipt !== undefined ? receiptHref(history ?? '/dashboard', receipt) : undefined
  return showMessage({
    icon: 'success',
    title: SUCCESS_TITLE,
    text: (
      <>
        <p>{message}</p>
        {next !== undefined && <p className="mt-2">{next}</p>}
      </>
    ),
    children: (
      <>
        {followUp !== undefined && <BoxLink {...followUp} className={cx(buttonClass('secondary'), 'mt-4 w-full')} />}
        {href !== undefined && (
          <BoxLink
            href={href}
            label={receipt === undefined ? 'See it in the history' : 'See the receipt'}
            className="link mt-3 block text-center"
          />
        )}
      </>
    ),
  })
}

/** A link of the box: follows it and closes the box. */
function BoxLink({ href, label, className }: FollowUp & { className: string }) {
  return (
    <a
      href={href}
      className={className}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        event.currentTarget.closest('dialog')?.close()
        navigate(href)
      }}
    >
      {label}
    </a>
  )
}

/** A refusal in a popup: by the server, or by a rule of the form. */
export function showRefusal(title: string, text: string, icon: 'error' | 'warning' = 'error'): Promise<void> {
  return showMessage({ icon, title, text: <p>{text}</p> })
}
