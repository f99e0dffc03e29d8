/** Types of the functions of jstat that are used; the package has no types. */
declare module "jstat" {
  const jstat: {
    studentt: { inv(probability: number, degreesOfFreedom: number): number };
    normal: {
      cdf(x: number, mean: number, deviation: number): number;
      inv(probability: number, mean: number, deviation: number): number;
    };
  };
  export default jstat;
}
