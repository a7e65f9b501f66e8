import Import from 'lucide-react/icons/import'
import type { ConsolePage } from '../../shell/console-page.ts'

export const page: ConsolePage = {
  name: 'imports',
  title: 'Imports',
  icon: Import,
  right: 'staffImports',
  menu: { section: 'Platform', position: 11 },
  load: () => import('./imports.view.tsx'),
}
