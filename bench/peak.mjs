// Preloaded into a measured Node program: leaves its peak resident memory, in bytes, where BENCH_PEAK_FILE says.
import { writeFileSync } from 'node:fs';

process.on('exit', () => writeFileSync(process.env.BENCH_PEAK_FILE, String(process.resourceUsage().maxRSS * 1024)));
