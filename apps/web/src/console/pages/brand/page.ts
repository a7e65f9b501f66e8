import Palette from 'lucide-react/icons/palette'
import type { ConsolePage } from '../../shell/console-page.ts'

export const page: ConsolePage = {
  name: 'brand',
  title: 'Brand',
  icon: Palette,
  right: 'staffCatalogue',
  menu: { section: 'Platform', position: 8 },
  load: () => import('./brand.view.tsx'),
}
