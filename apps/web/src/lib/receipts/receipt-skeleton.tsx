import { Skeleton, SkeletonText } from '../../ui/skeleton.tsx'

export function ReceiptSkeleton() {
  return (
    <div aria-busy="true">
      <Skeleton className="h-4 w-32" />
      <Skeleton className="mt-2 mb-6 h-8 w-48" />
      <SkeletonText lines={7} />
    </div>
  )
}
