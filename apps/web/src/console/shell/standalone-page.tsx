import type { ReactNode } from 'react'
import { BrandMark } from '../../ui/art/brand-mark.tsx'

/** A console page without the frame. */
export function Alone({ children }: { children: ReactNode }) {
  return (
    <main className="grid min-h-dvh content-center justify-items-center gap-2.5 p-6 text-center">
      <BrandMark size={36} />
      {children}
    </main>
  )
}
