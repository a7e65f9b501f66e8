import { toast } from '../ui/toast.tsx'

/**
 * Copies text and confirms it in a toast.
 * @param texts the two texts and their duration in ms
 */
export async function copyText(text: string, texts: { copied: string; failed: string; ms?: number }): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast(texts.copied, { ms: texts.ms })
  } catch {
    toast(texts.failed, { tone: 'danger', ms: texts.ms })
  }
}
