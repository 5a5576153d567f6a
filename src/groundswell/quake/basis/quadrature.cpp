#include "groundswell/quake/basis/quadrature.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

namespace groundswell::quake {

namespace {

struct Jacobi {
    double value, slope;
};

// P_n^{alpha,0} and its derivative at x inside (-1, 1) (DLMF 18.9.1, 18.9.2 and 18.9.17).
Jacobi jacobi(int n, double alpha, double x) {
    double before = 1.0, p = 0.5 * (alpha + (alpha + 2.0) * x);
    for (int m = 1; m < n; ++m) {
        const double c = 2.0 * m + alpha;
        const double below = 2.0 * (m + 1) * (m + alpha + 1.0) * c;
        const double next = ((c + 1.0) * ((c + 2.0) * c * x + alpha * alpha) * p -
                             2.0 * (m + alpha) * m * (c + 2.0) * before) /
                            below;
        before = p;
        p = next;
    }
    const double c = 2.0 * n + alpha;
    const double slope = (n * (alpha - c * x) * p + 2.0 * (n + alpha) * n * before) / (c * (1.0 - x * x));
    return {p, slope};
}

// An orbit of a symmetric rule: one weight for all points whose three coordinates, which add up to 1, are the same numbers in
// some order; two of the three are stored.
struct Orbit {
    double weight, first, second;
};
// D. A. Dunavant 1985, doi:10.1002/nme.1620210612, table II; more digits by Newton's method on the same equations.
const std::vector<Orbit>& orbits_of(int degree) {
    static const std::map<int, std::vector<Orbit>> by_degree{
        {4,
         {{0.223381589678011465, 0.445948490915964886, 0.445948490915964886},
          {0.109951743655321867, 0.091576213509770743, 0.091576213509770743}}},
        {6,
         {{0.116786275726379366, 0.249286745170910421, 0.249286745170910421},
          {0.050844906370206816, 0.063089014491502228, 0.063089014491502228},
          {0.082851075618373575, 0.053145049844816947, 0.310352451033784405}}},
        {8,
         {{0.144315607677787168, 0.333333333333333333, 0.333333333333333333},
          {0.103217370534718250, 0.170569307751760206, 0.170569307751760206},
          {0.095091634267284624, 0.459292588292723156, 0.459292588292723156},
          {0.032458497623198080, 0.050547228317030975, 0.050547228317030975},
          {0.027230314174434994, 0.008394777409957605, 0.263112829634638113}}},
        {10,
         {{0.090817990382753580, 0.333333333333333333, 0.333333333333333333},
          {0.045321059435527934, 0.109481575485037054, 0.109481575485037054},
          {0.036725957756466704, 0.485577633383657377, 0.485577633383657377},
          {0.072757916845420108, 0.141707219414879954, 0.550352941820999095},
          {0.028327242531057484, 0.025003534762686386, 0.246672560639902693},
          {0.009421666963732823, 0.009540815400299457, 0.066803251012200265}}},
        {12,
         {{0.062858224217885100, 0.271210385012115922, 0.271210385012115922},
          {0.043692544538038402, 0.439724392294460272, 0.439724392294460272},
          {0.034796112930708942, 0.127576145541585924, 0.127576145541585924},
          {0.025731066440455335, 0.488217389773804882, 0.488217389773804882},
          {0.006166261051559017, 0.021317350453210370, 0.021317350453210370},
          {0.040371557766380929, 0.115343494534697999, 0.275713269685514193},
          {0.022356773202303445, 0.022838332222257029, 0.281325580989939548},
          {0.017316231108658892, 0.025734050548330228, 0.116251915907597141}}},
        {14,
         {{0.051774104507291586, 0.273477528308838659, 0.273477528308838659},
          {0.042162588736993017, 0.177205532412543436, 0.177205532412543436},
          {0.032788353544125350, 0.417644719340453922, 0.417644719340453922},
          {0.021883581369428890, 0.488963910362178638, 0.488963910362178638},
          {0.014433699669776667, 0.061799883090872601, 0.061799883090872601},
          {0.004923403602400081, 0.019390961248701048, 0.019390961248701048},
          {0.038571510787060683, 0.092916249356971824, 0.336861459796345001},
          {0.024665753212563673, 0.057124757403647939, 0.172266687821355578},
          {0.014436308113533840, 0.014646950055654409, 0.298372882136257752},
          {0.005010228838500671, 0.001268330932872025, 0.118974497696956845}}},
    };
    return by_degree.at(degree);
}

}  // namespace

Quadrature<double> gauss_jacobi(int n, int alpha) {
    Quadrature<double> rule;
    // Roots one by one from below: Newton's method on P divided by the roots that are known already.
    for (int i = 0; i < n; ++i) {
        double x = -std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5 * (alpha + 1)));
        if (i > 0) x = 0.5 * (x + rule.point.back());
        for (int pass = 0; pass < 100; ++pass) {
            const Jacobi p = jacobi(n, alpha, x);
            double poles = 0.0;
            for (const double root : rule.point) poles += 1.0 / (x - root);
            const double step = p.value / (p.slope - poles * p.value);
            x -= step;
            if (std::abs(step) < 1e-16) break;
        }
        rule.point.push_back(x);
        const double slope = jacobi(n, alpha, x).slope;
        rule.weight.push_back(std::exp2(alpha + 1) / ((1.0 - x * x) * slope * slope));
    }
    return rule;
}

Quadrature<Point2> triangle_rule(int n) {
    const auto across = gauss_jacobi(n, 0), up = gauss_jacobi(n, 1);
    Quadrature<Point2> rule;
    for (int j = 0; j < n; ++j) {
        const double tau = 0.5 * (1.0 + up.point[j]);
        for (int i = 0; i < n; ++i) {
            rule.point.push_back({0.5 * (1.0 + across.point[i]) * (1.0 - tau), tau});
            rule.weight.push_back(across.weight[i] * up.weight[j] / 8.0);
        }
    }
    return rule;
}

Quadrature<Point2> symmetric_triangle_rule(int degree) {
    Quadrature<Point2> rule;
    for (const auto& [weight, first, second] : orbits_of(degree)) {
        std::array<double, 3> at{first, second, 1.0 - first - second};
        constexpr double same = 1e-12;
        if (std::abs(at[1] - at[0]) < same) at[1] = at[0];
        if (std::abs(at[2] - at[0]) < same) at[2] = at[0];
        std::ranges::sort(at);
        do {
            rule.point.push_back({at[0], at[1]});
            rule.weight.push_back(0.5 * weight);
        } while (std::ranges::next_permutation(at).found);
    }
    return rule;
}

Quadrature<Point3> tetrahedron_rule(int n) {
    const auto across = gauss_jacobi(n, 0), along = gauss_jacobi(n, 1), up = gauss_jacobi(n, 2);
    Quadrature<Point3> rule;
    for (int k = 0; k < n; ++k) {
        const double zeta = 0.5 * (1.0 + up.point[k]);
        for (int j = 0; j < n; ++j) {
            const double eta = 0.5 * (1.0 + along.point[j]) * (1.0 - zeta);
            for (int i = 0; i < n; ++i) {
                rule.point.push_back({0.5 * (1.0 + across.point[i]) * (1.0 - eta - zeta), eta, zeta});
                rule.weight.push_back(across.weight[i] * along.weight[j] * up.weight[k] / 64.0);
            }
        }
    }
    return rule;
}

}  // namespace groundswell::quake
