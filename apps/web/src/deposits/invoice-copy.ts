import { toast } from '../ui/toast.tsx'
import { depositMessages as text } from './deposits.messages.ts'

/** Copies an invoice text and shows the result (ER-61 to ER-63, VA-88). */
export async function copyFromInvoice(value: string): Promise<void> {
  // Absent on plain http, despite the types.
  const clipboard: Clipboard | undefined = navigator.clipboard
  if (typeof clipboard?.writeText !== 'function') {
    toast(text.noClipboard, { tone: 'danger' })
    return
  }
  try {
    await clipboard.writeText(value)
    toast(text.copied)
  } catch {
    toast(text.copyFailed, { tone: 'danger' })
  }
}
