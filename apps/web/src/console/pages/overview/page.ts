import LayoutGrid from 'lucide-react/icons/layout-grid'
import type { ConsolePage } from '../../shell/console-page.ts'

export const page: ConsolePage = {
  name: '',
  title: 'Overview',
  icon: LayoutGrid,
  key: 'o',
  right: 'staffOverview',
  menu: { section: 'Start', position: 1, onPhone: true },
  load: () => import('./overview.view.tsx'),
}
