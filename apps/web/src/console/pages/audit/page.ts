import ScrollText from 'lucide-react/icons/scroll-text'
import type { ConsolePage } from '../../shell/console-page.ts'

export const page: ConsolePage = {
  name: 'audit',
  title: 'Audit log',
  icon: ScrollText,
  key: 'a',
  right: 'staffAudit',
  menu: { section: 'Audit', position: 2 },
  load: () => import('./audit.view.tsx'),
}
