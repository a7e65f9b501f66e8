import { t } from '@tizara/languages'
import { navigate } from 'wouter/use-browser-location'
import { receiptHref, type ReceiptRef } from '../lib/receipts/receipt-link.ts'
import { buttonClass } from '../ui/button-class.ts'
import { cx } from '../ui/cx.ts'
import { showMessage } from '../ui/message-box.tsx'

/** Success popup title (GN-33). */
const SUCCESS_TITLE = 'success'

interface MoveDone {
  message: string
  /** The movement's receipt, if the server sent one. */
  receipt?: ReceiptRef | undefined
  /** Page that lists the movement; without one, the dashboard opens the receipt. */
  history?: string | undefined
  /** The member's next step, if any. */
  next?: string | undefined
  /** Link to a common next step. */
  followUp?: FollowUp | undefined
}

export interface FollowUp {
  label: string
  href: string
}

/** Confirms a money movement with the server's message and a link to its row (UI-M-COMMON-03, ER-30). */
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
            label={receipt === undefined ? t('See it in the history') : t('See the receipt')}
            className="link mt-3 block text-center"
          />
        )}
      </>
    ),
  })
}

/** Link in the box that also closes it. */
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

/** Shows a refusal by the server or by a form rule. */
export function showRejection(title: string, text: string, icon: 'error' | 'warning' = 'error'): Promise<void> {
  return showMessage({ icon, title, text: <p>{text}</p> })
}
