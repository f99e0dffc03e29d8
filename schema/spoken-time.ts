/** Writes a duration for people: "1 h 05 min", "12 min", "40 s". */
export function spoken(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds / 10) * 10} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}
