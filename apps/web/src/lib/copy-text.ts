import { toast } from '../ui/toast.tsx'

/**
 * Copies text and confirms it in a toast.
 * @param said the two texts and their duration in ms
 */
export async function copyText(text: string, said: { copied: string; failed: string; ms?: number }): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast(said.copied, { ms: said.ms })
  } catch {
    toast(said.failed, { tone: 'danger', ms: said.ms })
  }
}
