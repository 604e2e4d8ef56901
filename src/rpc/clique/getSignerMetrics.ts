import { getSignerMetrics } from '../authority/signerMetrics.ts'

export const clique_getSignerMetrics = getSignerMetrics('clique')
