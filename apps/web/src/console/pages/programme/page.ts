import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import type { ConsolePage } from '../../shell/console-page.ts'

export const page: ConsolePage = {
  name: 'programme',
  title: 'Programme',
  icon: SlidersHorizontal,
  right: 'staffCatalogue',
  menu: { section: 'Platform', position: 3 },
  load: () => import('./programme.view.tsx'),
}
