import type { ReactNode } from 'react'
import { BrandMark } from '../../ui/art/brand-mark.tsx'

/** A page of the console without its frame. */
export function Alone({ children }: { children: ReactNode }) {
  return (
    <main className="alone">
      <BrandMark size={36} />
      {children}
    </main>
  )
}
