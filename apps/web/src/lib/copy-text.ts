import { toast } from '../ui/toast.tsx'

/**
 * Copies a text and says so in a toast.
 * @param said the two texts and how long they stay, in milliseconds
 */
export async function copyText(text: string, said: { copied: string; failed: string; ms?: number }): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast(said.copied, { ms: said.ms })
  } catch {
    toast(said.failed, { tone: 'danger', ms: said.ms })
  }
}
