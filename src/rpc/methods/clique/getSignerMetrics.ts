import { getSignerMetrics } from '../../validators/getSignerMetrics.ts'

export const clique_getSignerMetrics = getSignerMetrics('clique')
